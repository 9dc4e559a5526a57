//! Setters of options, by value, so that a struct of options can get further fields.

/// Methods that give the same options with another value of one field.
#[doc(hidden)]
#[macro_export]
macro_rules! with_fields {
    ($($method:ident $field:ident: $type:ty;)+) => {
        $(
            #[doc = concat!("The same with this [`", stringify!($field), "`](Self::", stringify!($field), ").")]
            #[must_use]
            pub fn $method(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )+
    };
}

pub(crate) use with_fields;
