/** A position in the log, such as `16/B374D848`, as a number: positions of one server can be compared. */
export const parseLogPosition = (text: string): bigint => {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
