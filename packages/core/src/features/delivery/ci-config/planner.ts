import { createThreadPool, findWorkerFile, type WorkerThread } from '../../../ports/worker-threads.ts'
import { CiConfigError, NoJobsError } from './config-error.ts'
import type { Answer, FileDescription, FileSummary, Question, Reply, Request } from './messages.ts'
import { parseFile } from './parsed-file.ts'
import type { PipelineConditions, Plan } from './plan.ts'
import type { RepositoryReader } from './repository-reader.ts'

/** A pipeline file that was parsed, usually in a thread. */
export interface PipelineFile {
  readonly summary: FileSummary
  /** The jobs of a new pipeline. Throws CiConfigError, and NoJobsError if the rules leave no job. */
  plan(): Promise<Plan>
  /** The merged file and its jobs, without rules. */
  describe(): Promise<FileDescription>
}

/** Milliseconds that a thread may work on a file, without the time to read repositories. */
const maxMilliseconds = 5_000

/** Characters of a file where threads cannot be started: it is processed in the event loop. */
const maxLengthWithoutThreads = 32_768

const limitError = () =>
  new CiConfigError(
    `The pipeline file is too complex: it takes more than ${maxMilliseconds / 1_000} seconds or 256 MiB of memory to process`,
  )

/**
 * The platforms of a process share the threads, which keep nothing between two files. Always threads: the parser of YAML and
 * patterns of paths can take minutes for small texts, and cannot be interrupted otherwise.
 */
const pool = createThreadPool<Request, Answer>({
  findFile: () => findWorkerFile(import.meta.url, './worker.ts', './forgelet-pipeline-worker.js'),
  name: 'forgelet-pipelines',
  workers: 2,
  maxWaiting: 100,
  work: 'pipeline files',
  createLimitError: limitError,
})

const reply = async (question: Question, reader: RepositoryReader): Promise<Reply> => {
  switch (question.kind) {
    case 'readFile':
      return { kind: 'file', text: await reader.readFile(question.path, question.source) }
    case 'listPaths':
      return { kind: 'paths', paths: await reader.listPaths(question.source) }
    case 'listChanges':
      return { kind: 'changes', changes: await reader.listChanges(question.compareTo) }
  }
}

const openRemotely = async (
  thread: WorkerThread<Request, Answer>,
  request: Request,
  reader: RepositoryReader,
): Promise<PipelineFile> => {
  let remaining = maxMilliseconds
  const exchange = async (message: Request): Promise<Answer> => {
    const started = performance.now()
    thread.send(message)
    const answer = await thread.receive(remaining)
    remaining -= performance.now() - started
    return answer
  }
  const ask = async (message: Request): Promise<Answer> => {
    let answer = await exchange(message)
    while (answer.kind === 'question') answer = await exchange(await reply(answer.question, reader))
    if (answer.kind === 'problems')
      throw answer.hasNoJobs ? new NoJobsError(...answer.problems) : new CiConfigError(...answer.problems)
    return answer
  }
  const answer = await ask(request)
  const unexpected = ({ kind }: Answer) => new Error(`The thread of pipeline files answered ${kind}`)
  if (answer.kind !== 'parsed') throw unexpected(answer)
  return {
    summary: answer.summary,
    async plan() {
      const planned = await ask({ kind: 'plan' })
      if (planned.kind !== 'planned') throw unexpected(planned)
      return planned.plan
    },
    async describe() {
      const described = await ask({ kind: 'describe' })
      if (described.kind !== 'described') throw unexpected(described)
      return described.description
    },
  }
}

const openLocally = async ({ text, contextProject, conditions, reader }: PipelineText): Promise<PipelineFile> => {
  let length = text.length
  const check = () => {
    if (length > maxLengthWithoutThreads)
      throw new CiConfigError(
        `The pipeline file is too big: without threads, the maximum is ${maxLengthWithoutThreads}`,
      )
  }
  check()
  const countingReader: RepositoryReader = {
    ...reader,
    async readFile(path, source) {
      const included = await reader.readFile(path, source)
      length += included?.length ?? 0
      check()
      return included
    },
  }
  return parseFile({ text, contextProject, conditions, reader: countingReader })
}

export interface PipelineText {
  readonly text: string
  /** Full path of the project of the file; null for a text without a project. */
  readonly contextProject: string | null
  readonly conditions: PipelineConditions
  readonly reader: RepositoryReader
  /** Whether the text is only checked: such calls leave one thread to new pipelines. */
  readonly isCheck?: boolean
}

/** A file that cannot be processed: it has no jobs. */
const brokenFile = (error: CiConfigError): PipelineFile => ({
  summary: { isValid: false, errors: error.problems, warnings: [], includes: [] },
  plan: () => Promise.reject(error),
  describe: async () => ({ mergedYaml: null, jobs: [] }),
})

/**
 * Parses a text as a pipeline file with its included files. `work` has the thread to itself.
 *
 * @throws PlatformError `limited` if too many files wait for a thread
 */
export const withPipelineFile = async <T>(file: PipelineText, work: (file: PipelineFile) => Promise<T>): Promise<T> => {
  const open = async (opening: Promise<PipelineFile>) => {
    try {
      return await opening
    } catch (error) {
      if (error instanceof CiConfigError) return brokenFile(error)
      throw error
    }
  }
  if (!(await pool.areAvailable())) return work(await open(openLocally(file)))
  const { text, contextProject, conditions, reader, isCheck = false } = file
  const request = { kind: 'parse', text, contextProject, conditions } as const
  return pool.use(async (thread) => work(await open(openRemotely(thread, request, reader))), {
    isLongRunning: isCheck,
  })
}
