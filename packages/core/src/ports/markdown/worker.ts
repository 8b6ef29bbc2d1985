import { parentPort } from 'node:worker_threads'
import { createRenderBudget, RenderLimitError } from './budget.ts'
import { type MarkdownDocument, readDocument } from './document.ts'
import type { Reference, Resolved } from './reference.ts'
import type { Answer, Request } from './render-workers.ts'

/** The text that is being rendered; the pool sends one at a time. */
let document: MarkdownDocument | undefined

const answer = (request: Request): Answer => {
  if (request.kind === 'read') {
    const { text, flavour, options, milliseconds, maxOutput } = request
    document = readDocument(text, flavour, options, createRenderBudget(milliseconds, maxOutput))
    if (document.references.length > 0) return { kind: 'references', references: document.references }
  }
  const resolved = request.kind === 'resolve' ? request.resolved : []
  const results = new Map<Reference, Resolved | undefined>(
    document?.references.map((reference, index) => [reference, resolved[index]]),
  )
  const html = document?.html((reference) => results.get(reference)) ?? ''
  document = undefined
  return { kind: 'html', html }
}

parentPort?.on('message', (request: Request) => {
  try {
    parentPort?.postMessage(answer(request))
  } catch (error) {
    if (!(error instanceof RenderLimitError)) throw error
    document = undefined
    parentPort?.postMessage({ kind: 'limit' } satisfies Answer)
  }
})
parentPort?.postMessage({ kind: 'ready' } satisfies Answer)
