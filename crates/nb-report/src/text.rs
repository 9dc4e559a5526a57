//! Running text: plain strings with a few spans.

/// A piece of running text of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Span {
    /// Ordinary words.
    Plain(String),
    /// Words that are stressed, and titles of works.
    Emphasis(String),
    /// Words with emphasis.
    Strong(String),
    /// A name or a value as it stands in a program or file.
    Code(String),
    /// A link to a section, table or figure of the same document.
    Link {
        /// Its id.
        to: String,
        /// The words of the link.
        text: String,
    },
    /// A link to a page on the web, followed only when a reader clicks it.
    Web {
        /// The address, beginning with `https://` or `http://`.
        url: String,
        /// The words of the link.
        text: String,
    },
    /// A link to a file beside the document, by its name.
    File(String),
}

impl Span {
    /// The words without what they are.
    pub(crate) fn words(&self) -> &str {
        match self {
            Span::Plain(text)
            | Span::Emphasis(text)
            | Span::Strong(text)
            | Span::Code(text)
            | Span::File(text)
            | Span::Link { text, .. }
            | Span::Web { text, .. } => text,
        }
    }
}

/// Running text, put together span by span; a string is a text of one plain span.
///
/// ```
/// use nb_report::Text;
///
/// let text = Text::new("Ranks as in ").emphasis("Demšar (2006)").plain("; see ").link("ranks", "below");
/// assert_eq!(text.words(), "Ranks as in Demšar (2006); see below");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The spans, in reading order.
    pub spans: Vec<Span>,
}

impl Text {
    /// A text that begins with plain words.
    pub fn new(words: impl Into<String>) -> Self {
        Self::default().plain(words)
    }

    /// Adds plain words.
    #[must_use]
    pub fn plain(self, words: impl Into<String>) -> Self {
        self.with(Span::Plain(words.into()))
    }

    /// Adds words that are stressed.
    #[must_use]
    pub fn emphasis(self, words: impl Into<String>) -> Self {
        self.with(Span::Emphasis(words.into()))
    }

    /// Adds words with emphasis.
    #[must_use]
    pub fn strong(self, words: impl Into<String>) -> Self {
        self.with(Span::Strong(words.into()))
    }

    /// Adds a name or value as it stands in a program or file.
    #[must_use]
    pub fn code(self, words: impl Into<String>) -> Self {
        self.with(Span::Code(words.into()))
    }

    /// Adds a link to the section, table or figure with this id.
    #[must_use]
    pub fn link(self, to: impl Into<String>, words: impl Into<String>) -> Self {
        self.with(Span::Link { to: to.into(), text: words.into() })
    }

    /// Adds a link to a page on the web.
    #[must_use]
    pub fn web(self, url: impl Into<String>, words: impl Into<String>) -> Self {
        self.with(Span::Web { url: url.into(), text: words.into() })
    }

    /// Adds a link to a file beside the document.
    #[must_use]
    pub fn file(self, name: impl Into<String>) -> Self {
        self.with(Span::File(name.into()))
    }

    /// The words alone.
    pub fn words(&self) -> String {
        self.spans.iter().map(Span::words).collect()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.words().is_empty())
    }

    fn with(mut self, span: Span) -> Self {
        self.spans.push(span);
        self
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Self {
        Self::new(words)
    }
}

impl From<String> for Text {
    fn from(words: String) -> Self {
        Self::new(words)
    }
}
