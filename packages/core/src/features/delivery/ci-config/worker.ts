import { parentPort } from 'node:worker_threads'
import { CiConfigError, NoJobsError } from './config-error.ts'
import type { Answer, Question, Reply, Request } from './messages.ts'
import { type ParsedFile, parseFile } from './parsed-file.ts'
import type { RepositoryReader } from './repository-reader.ts'

/** The file that is being processed; the pool sends one at a time. */
let file: ParsedFile | undefined
/** Receives the reply to the last question. */
let receiveReply: ((reply: Reply) => void) | undefined

const post = (answer: Answer) => parentPort?.postMessage(answer)

const ask = (question: Question) =>
  new Promise<Reply>((resolve) => {
    receiveReply = resolve
    post({ kind: 'question', question })
  })

const unexpected = ({ kind }: Reply) => new Error(`The thread of pipeline files received ${kind}`)

const reader: RepositoryReader = {
  async readFile(path, source) {
    const reply = await ask({ kind: 'readFile', path, source })
    if (reply.kind !== 'file') throw unexpected(reply)
    return reply.text
  },
  async listPaths(source) {
    const reply = await ask({ kind: 'listPaths', source })
    if (reply.kind !== 'paths') throw unexpected(reply)
    return reply.paths
  },
  async listChanges(compareTo) {
    const reply = await ask({ kind: 'listChanges', compareTo })
    if (reply.kind !== 'changes') throw unexpected(reply)
    return reply.changes
  },
}

const answer = async (request: Request): Promise<Answer | undefined> => {
  switch (request.kind) {
    case 'file':
    case 'paths':
    case 'changes':
      receiveReply?.(request)
      return undefined
    case 'parse':
      file = undefined
      file = await parseFile({ ...request, reader })
      return { kind: 'parsed', summary: file.summary }
    case 'plan':
      if (file === undefined) throw new Error('No file was parsed')
      return { kind: 'planned', plan: await file.plan() }
    case 'describe':
      if (file === undefined) throw new Error('No file was parsed')
      return { kind: 'described', description: await file.describe() }
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
