//! A shop's cart: each function fails in its own way.
use anyhow::{Context, Result};
use std::error::Error;
use std::fmt::{Display, Formatter};

#[derive(Debug)]
pub struct OutOfStock {
    pub sku: String,
    pub wanted: u32,
}

impl Display for OutOfStock {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        write!(out, "only 3 of {} left, {} wanted", self.sku, self.wanted)
    }
}

impl Error for OutOfStock {}

#[derive(Debug)]
pub struct Failed(pub Box<dyn Error + Send + Sync>);

impl Display for Failed {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        write!(out, "checkout failed")
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

#[inline(never)]
pub fn read_quantity(text: &str) -> Result<u32> {
    text.parse::<u32>().with_context(|| format!("reading quantity {text:?}"))
}

#[inline(never)]
pub fn order(text: &str) -> Result<u32> {
    read_quantity(text).context("order 9")
}

#[inline(never)]
pub fn map<T, F: Fn(T) -> T>(values: Vec<T>, change: F) -> Vec<T> {
    values.into_iter().map(change).collect()
}

pub struct Basket {
    pub items: Vec<usize>,
}

impl Basket {
    #[inline(never)]
    pub fn at(&self, index: usize) -> usize {
        self.items[index]
    }
}
