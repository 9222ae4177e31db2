//! Lists with an entry for each player: as long as the largest table in memory, and as the number of players in
//! JSON.

/// The JSON form of a `T`, in which lists end with the last player.
pub trait Listed<T>: Sized {
    /// Converts a value to its form for this number of players.
    fn of(value: &T, players: u8) -> Self;

    /// Converts the form to its value for this number of players. `name` is the name of the field.
    ///
    /// # Errors
    /// The list has another length; the text names the field.
    fn read(self, players: u8, name: &str) -> Result<T, String>;
}

impl<T: Copy + Default, const N: usize> Listed<[T; N]> for Vec<T> {
    fn of(value: &[T; N], players: u8) -> Self {
        value.iter().take(players.into()).copied().collect()
    }

    fn read(self, players: u8, name: &str) -> Result<[T; N], String> {
        let mut all = [T::default(); N];
        match all.get_mut(..usize::from(players)).filter(|list| list.len() == self.len()) {
            Some(list) => list.copy_from_slice(&self),
            None => return Err(format!("`{name}` has {} entries: expected {players}", self.len())),
        }
        Ok(all)
    }
}

/// Declares a part of views with lists that have an entry for each player. An arrow is followed by the type of the
/// list in JSON, and by its length: a field or method of the part. Example:
/// `points: [i32; MAX_SEATS] => Vec<i32> [rules.players]`.
/// With `as Other` after the name, that is the name in JSON schemas.
/// With `by rules` after the name, reading checks these rules first, because invalid rules have no number of players.
#[macro_export]
macro_rules! listed {
    (
        $(#[doc = $meaning:literal])+
        pub struct $name:ident $(as $title:ident)? $(by $rules:ident)? { $(
            $(#[doc = $words:literal])+
            $(#[serde($($serde:tt)*)])*
            $(#[schemars($($schema:tt)*)])*
            pub $field:ident: $type:ty $(=> $form:ty [$($players:tt)+])?,
        )* }
    ) => {
        $(#[doc = $meaning])+
        #[derive(Copy, Clone, Debug, PartialEq)]
        pub struct $name { $($(#[doc = $words])+ pub $field: $type,)* }

        // A separate block, so that every part can have its own `Form`.
        const _: () = {
            #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
            #[serde(deny_unknown_fields)]
            $(#[doc = $meaning])+
            struct Form { $(
                $(#[doc = $words])+
                $(#[serde($($serde)*)])*
                $(#[schemars($($schema)*)])*
                $field: $crate::listed!(@form $type $(=> $form)?),
            )* }

            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let form = Form { $(
                        $field: $crate::listed!(@write self, self.$field $(=> $($players)+)?),
                    )* };
                    serde::Serialize::serialize(&form, serializer)
                }
            }

            impl schemars::JsonSchema for $name {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    $crate::listed!(@schema $name $($title)?).into()
                }

                fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    Form::json_schema(generator)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let form = <Form as serde::Deserialize>::deserialize(deserializer)?;
                    $($crate::rules::Rules::check(&form.$rules).map_err(serde::de::Error::custom)?;)?
                    Ok(Self { $(
                        $field: $crate::listed!(@read form, $field $(=> $($players)+)?),
                    )* })
                }
            }
        };
    };

    (@schema $name:ident) => { stringify!($name) };
    (@schema $name:ident $title:ident) => { stringify!($title) };
    (@form $type:ty) => { $type };
    (@form $type:ty => $form:ty) => { $form };
    (@write $part:ident, $value:expr) => { $value };
    (@write $part:ident, $value:expr => $($players:tt)+) => {
        $crate::Listed::of(&$value, $part.$($players)+)
    };
    (@read $form:ident, $field:ident) => { $form.$field };
    (@read $form:ident, $field:ident => $($players:tt)+) => {
        $crate::Listed::read($form.$field, $form.$($players)+, stringify!($field))
            .map_err(serde::de::Error::custom)?
    };
}

#[cfg(test)]
mod tests {
    listed! {
        /// Who has how many.
        pub struct Points {
            /// Points by seat.
            pub points: [u8; 4] => Vec<u8> [players],
            /// Number of players.
            pub players: u8,
        }
    }

    #[test]
    fn lists_end_with_the_last_player() {
        let points = Points { points: [7, 5, 0, 0], players: 3 };
        let text = serde_json::to_string(&points).expect("numbers");
        assert_eq!(text, r#"{"points":[7,5,0],"players":3}"#);
        assert_eq!(serde_json::from_str::<Points>(&text).expect("as it was written"), points);
        let refused = |text: &str| serde_json::from_str::<Points>(text).expect_err(text).to_string();
        let error = refused(r#"{"points":[7,5],"players":3}"#);
        assert!(error.contains("`points` has 2 entries: expected 3"), "{error}");
        let error = refused(r#"{"points":[7,5,0,0],"players":3}"#);
        assert!(error.contains("`points` has 4 entries: expected 3"), "{error}");
        let error = refused(r#"{"points":[7,5,0,0,1],"players":5}"#);
        assert!(error.contains("`points` has 5 entries: expected 5"), "{error}");
    }
}
