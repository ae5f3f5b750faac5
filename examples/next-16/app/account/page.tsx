export default function Account() {
  return <p>Your orders</p>;
}
