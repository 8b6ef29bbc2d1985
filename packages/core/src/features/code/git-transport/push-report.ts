import { flushPacket, formatLine, maxLineBytes } from './pkt-line.ts'

/** The result for one reference. */
export interface ReferenceResult {
  /** Full name, as sent by the client. */
  readonly name: string
  /** Why the reference was not changed, for the user of git; undefined if it was. */
  readonly refusal: string | undefined
}

/** Numbers of the bands of `side-band-64k`. */
const reportBand = 1

const splitIntoBand = (band: number, content: Buffer): Buffer => {
  const lines: Buffer[] = []
  for (let start = 0; start < content.length; start += maxLineBytes - 1) {
    const part = content.subarray(start, start + maxLineBytes - 1)
    lines.push(formatLine(Buffer.concat([Buffer.from([band]), part])))
  }
  return Buffer.concat(lines)
}

/** A message in one line, as the protocol requires. */
const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * The response to a push (gitprotocol-pack, "Report status").
 *
 * @param unpackError why the objects were rejected; undefined if they were stored
 */
export const formatPushReport = (
  results: readonly ReferenceResult[],
  unpackError: string | undefined,
  capabilities: ReadonlySet<string>,
): Buffer => {
  if (!capabilities.has('report-status') && !capabilities.has('report-status-v2')) return Buffer.alloc(0)
  const report = Buffer.concat([
    formatLine(`unpack ${unpackError === undefined ? 'ok' : toOneLine(unpackError)}\n`),
    ...results.map(({ name, refusal }) =>
      formatLine(refusal === undefined ? `ok ${name}\n` : `ng ${name} ${toOneLine(refusal)}\n`),
    ),
    Buffer.from(flushPacket),
  ])
  if (!capabilities.has('side-band-64k')) return report
  return Buffer.concat([splitIntoBand(reportBand, report), Buffer.from(flushPacket)])
}
