import { parentPort } from 'node:worker_threads'
import { type LockFileText, parseLockFile } from './formats.ts'

parentPort?.on('message', (file: LockFileText) => parentPort?.postMessage(parseLockFile(file)))
parentPort?.postMessage('ready')
