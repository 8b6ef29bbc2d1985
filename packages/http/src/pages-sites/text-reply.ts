import type { Reply } from '../reply/reply.ts'

/** A plain reply. Nothing in it is from the request. */
export const toTextReply = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  bytes: `${text}\n`,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
})
