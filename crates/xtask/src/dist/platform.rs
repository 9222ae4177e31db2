//! The machines that archives are for.

/// One of them. Programs for Linux are linked statically, so that no version of a system's library matters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Platform {
    /// Linux on x86-64
    #[value(name = "x86_64-unknown-linux-musl")]
    LinuxX86,
    /// Linux on arm64
    #[value(name = "aarch64-unknown-linux-musl")]
    LinuxArm,
    /// Windows on x86-64
    #[value(name = "x86_64-pc-windows-gnu")]
    WindowsX86,
    /// macOS on arm64
    #[value(name = "aarch64-apple-darwin")]
    MacArm,
    /// macOS on x86-64
    #[value(name = "x86_64-apple-darwin")]
    MacX86,
}

impl Platform {
    /// Returns the target triple.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Self::LinuxX86 => "x86_64-unknown-linux-musl",
            Self::LinuxArm => "aarch64-unknown-linux-musl",
            Self::WindowsX86 => "x86_64-pc-windows-gnu",
            Self::MacArm => "aarch64-apple-darwin",
            Self::MacX86 => "x86_64-apple-darwin",
        }
    }

    pub(crate) fn is_linux(self) -> bool {
        matches!(self, Self::LinuxX86 | Self::LinuxArm)
    }

    pub(crate) fn is_mac(self) -> bool {
        matches!(self, Self::MacArm | Self::MacX86)
    }

    /// Returns the file name of the program.
    pub(crate) fn program(self) -> &'static str {
        if self == Self::WindowsX86 { "cardsharp.exe" } else { "cardsharp" }
    }

    /// Returns the processor for which the program is compiled. `x86-64-v2` is any since 2009, because small processors
    /// got AVX2 ten years after large ones. The code of networks detects the processor at run time.
    pub(crate) fn processor(self) -> &'static str {
        match self {
            Self::LinuxX86 | Self::WindowsX86 | Self::MacX86 => "x86-64-v2",
            Self::LinuxArm => "generic",
            Self::MacArm => "apple-m1",
        }
    }
}
