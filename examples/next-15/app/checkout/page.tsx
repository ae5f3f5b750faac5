import { placeOrder } from './actions';
import { PayButtons } from './pay-buttons';

export default function Checkout() {
  return (
    <main>
      <h1>Checkout</h1>
      <form action={placeOrder}>
        <button>Place order</button>
      </form>
      <PayButtons />
    </main>
  );
}
