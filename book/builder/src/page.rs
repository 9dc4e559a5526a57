//! What a page links to, and what can be linked to in it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use html5ever::{
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states,
    },
};

/// Links, anchors and pictures of a page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) ids: BTreeSet<String>,
    /// Where links, pictures, scripts and styles lead.
    pub(crate) links: BTreeSet<String>,
    /// What the page loads: pictures, scripts and styles.
    pub(crate) loads: BTreeSet<String>,
    pub(crate) pictures: usize,
    /// Pictures without a description.
    pub(crate) nameless: Vec<String>,
}

impl Page {
    pub(crate) fn of(html: &str) -> Self {
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        let tokenizer = Tokenizer::new(Sink::default(), TokenizerOpts::default());
        // Scripts are skipped by their state; it never stops to run one.
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        tokenizer.sink.0.into_inner()
    }

    fn add(&mut self, tag: &Tag) {
        let attributes: BTreeMap<&str, &str> =
            tag.attrs.iter().map(|attribute| (&*attribute.name.local, &*attribute.value)).collect();
        let name = &*tag.name;
        if let Some(id) = attributes.get("id").or(attributes.get("name").filter(|_| name == "a")) {
            self.ids.insert((*id).to_owned());
        }
        if let Some(href) = attributes.get("href") {
            self.links.insert((*href).to_owned());
            if name == "link" {
                self.loads.insert((*href).to_owned());
            }
        }
        if let Some(source) = attributes.get("src") {
            self.links.insert((*source).to_owned());
            self.loads.insert((*source).to_owned());
        }
        if name == "img" {
            self.pictures += 1;
            if attributes.get("alt").is_none_or(|words| words.trim().is_empty()) {
                self.nameless.push(attributes.get("src").unwrap_or(&"").to_string());
            }
        }
    }
}

#[derive(Default)]
struct Sink(RefCell<Page>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token
            && tag.kind == TagKind::StartTag
        {
            self.0.borrow_mut().add(&tag);
            match &*tag.name {
                "script" => return TokenSinkResult::RawData(states::RawKind::ScriptData),
                "style" => return TokenSinkResult::RawData(states::RawKind::Rawtext),
                _ => {}
            }
        }
        TokenSinkResult::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_tags_count_and_those_in_scripts_do_not() {
        let page = Page::of(
            "<p id='a'><a href=\"b.html#c\">x</a><img src=p.svg><script>'<a href=\"no\">'</script>&lt;a href=\"no\">",
        );
        assert!(page.ids.contains("a"));
        assert_eq!(page.links.iter().collect::<Vec<_>>(), ["b.html#c", "p.svg"]);
        assert_eq!(page.nameless, ["p.svg"]);
    }
}
