package com.example.shop;

import java.util.List;
import java.util.stream.Collectors;

/** A shop's cart: each method fails in its own way. */
class Cart {
  static class OutOfStock extends RuntimeException {
    OutOfStock(String sku, int wanted) {
      super("only 3 of " + sku + " left, " + wanted + " wanted");
    }
  }

  static class Till implements AutoCloseable {
    @Override
    public void close() {
      throw new IllegalStateException("till does not close");
    }
  }

  int readQuantity(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("cannot read quantity " + text, e);
    }
  }

  void order(String text) {
    try {
      readQuantity(text);
    } catch (IllegalArgumentException e) {
      throw new RuntimeException("order 9 failed", e);
    }
  }

  void suppressed() {
    try (Till first = new Till(); Till second = new Till()) {
      throw new OutOfStock("A-1", 7);
    }
  }

  List<Integer> lambda(List<String> codes) {
    return codes.stream().map(code -> Integer.valueOf(code.substring(5))).collect(Collectors.toList());
  }

  int deep(int depth) {
    return deep(depth + 1) + 1;
  }
}
