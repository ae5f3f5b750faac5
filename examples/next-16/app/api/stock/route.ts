export async function GET(): Promise<Response> {
  throw new Error('warehouse does not answer');
}
