# Installs the command cardsharp VERSION on Windows:
#
#     irm REPOSITORY/releases/download/vVERSION/cardsharp-installer.ps1 | iex
#
# CARDSHARP_BIN  the folder for the program; %LOCALAPPDATA%\cardsharp if it is not set
$ErrorActionPreference = "Stop"
$ProgressPreference = "SilentlyContinue"

$downloads = "REPOSITORY/releases/download/vVERSION"
$folder = "cardsharp-VERSION-x86_64-pc-windows-gnu"
$bin = if ($env:CARDSHARP_BIN) { $env:CARDSHARP_BIN } else { Join-Path $env:LOCALAPPDATA "cardsharp" }
$scratch = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory -Path $scratch | Out-Null
try {
    foreach ($file in "SHA256SUMS", "$folder.tar.gz") {
        Invoke-WebRequest -UseBasicParsing -Uri "$downloads/$file" -OutFile (Join-Path $scratch $file)
    }
    $archive = Join-Path $scratch "$folder.tar.gz"
    $line = Get-Content (Join-Path $scratch "SHA256SUMS") | Where-Object { $_.EndsWith("  $folder.tar.gz") }
    $sum = (Get-FileHash -Algorithm SHA256 $archive).Hash.ToLower()
    if (-not $line -or $line.Split(" ")[0] -ne $sum) {
        throw "$folder.tar.gz does not have the checksum of SHA256SUMS; nothing was installed"
    }
    tar -xzf $archive -C $scratch
    if ($LASTEXITCODE -ne 0) { throw "$folder.tar.gz cannot be unpacked" }
    New-Item -ItemType Directory -Force -Path $bin | Out-Null
    Copy-Item (Join-Path $scratch "$folder\cardsharp.exe") (Join-Path $bin "cardsharp.exe") -Force
} finally {
    Remove-Item -Recurse -Force $scratch
}
Write-Output "installed cardsharp VERSION in $bin"
$path = [Environment]::GetEnvironmentVariable("Path", "User")
if (($path -split ";") -notcontains $bin) {
    [Environment]::SetEnvironmentVariable("Path", "$path;$bin", "User")
    Write-Output "added this folder to your PATH; open a new terminal to use it"
}
