'use client';
import { useEffect } from 'react';

interface Cart {
  readonly items: readonly string[];
}

export default function CartPage() {
  useEffect(() => {
    const cart = JSON.parse(localStorage.getItem('cart') ?? 'null') as Cart;
    document.title = `Cart (${cart.items.length})`;
  }, []);
  return <h1>Cart</h1>;
}
