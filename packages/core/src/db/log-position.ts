/** `16/B374D848` as a number, which positions of one server can be compared by. */
export const parseLogPosition = (text: string): bigint => {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
