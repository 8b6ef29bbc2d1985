import { parentPort } from 'node:worker_threads'
import { CiConfigError, NoJobsError } from './config-error.ts'
import type { IncludeSource } from './includes.ts'
import type { Answer, Request } from './messages.ts'
import { type ParsedFile, parseFile } from './parsed-file.ts'

/** The file that is being processed; the pool sends one at a time. */
let file: ParsedFile | undefined
/** Receives the file that was requested last. */
let receiveFile: ((text: string | undefined) => void) | undefined

const post = (answer: Answer) => parentPort?.postMessage(answer)

const readFile = (path: string, source: IncludeSource) =>
  new Promise<string | undefined>((resolve) => {
    receiveFile = resolve
    post({ kind: 'read', path, source })
  })

const answer = async (request: Request): Promise<Answer | undefined> => {
  switch (request.kind) {
    case 'file':
      receiveFile?.(request.text)
      return undefined
    case 'parse':
      file = undefined
      file = await parseFile(request.text, readFile, request.contextProject)
      return { kind: 'parsed', summary: file.summary }
    case 'plan':
      if (file === undefined) throw new Error('No file was parsed')
      return { kind: 'planned', plan: file.plan(request.conditions) }
    case 'describe':
      if (file === undefined) throw new Error('No file was parsed')
      return { kind: 'described', description: file.describe() }
  }
}

const respond = async (request: Request) => {
  try {
    const result = await answer(request)
    if (result) post(result)
  } catch (error) {
    if (!(error instanceof CiConfigError)) throw error
    post({ kind: 'problems', problems: error.problems, hasNoJobs: error instanceof NoJobsError })
  }
}

parentPort?.on('message', (request: Request) => void respond(request))
post({ kind: 'ready' })
