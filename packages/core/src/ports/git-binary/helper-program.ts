/**
 * The program of the helper process: JavaScript for `node -e`, with the folder of the socket as its argument.
 *
 * It is a string, not a file, because a relative path would have to be valid in the sources, in the built package and in any
 * bundle of a host.
 *
 * For each launch the helper connects to the socket, sends the token of the launch and passes the connection to the process as
 * its standard input and output. The process and the host then exchange bytes directly, with backpressure. The helper ends
 * with the host, because the IPC channel closes however the host exits.
 */
export const helperProgram = `'use strict'
const { spawn } = require('node:child_process')
const { rmSync } = require('node:fs')
const { Socket } = require('node:net')
const { join } = require('node:path')

const folder = process.argv[1]
process.title = 'forgelet-git ' + folder
const socketPath = join(folder, 'socket')
const launches = new Map()
let closing = false

const finish = (token, message) => {
  launches.delete(token)
  if (process.connected) process.send({ token, ...message }, () => {})
  if (closing && launches.size === 0) process.exit()
}

const signal = (launch, name) => {
  try {
    process.kill(-launch.child.pid, name)
  } catch {}
}

const stop = (launch) => {
  launch.stopped = true
  if (!launch.child || launch.timer) return
  signal(launch, 'SIGTERM')
  launch.timer = setTimeout(signal, 1000, launch, 'SIGKILL')
}

const run = (launch, socket, request) => {
  const stderrChunks = []
  let remainingBytes = request.stderrBytes
  const child = spawn(request.program, request.arguments, {
    cwd: '/',
    env: request.environment,
    detached: true,
    stdio: [request.hasInput ? socket : 'ignore', socket, 'pipe'],
  })
  launch.child = child
  child.stderr.on('data', (chunk) => {
    stderrChunks.push(chunk.subarray(0, remainingBytes))
    remainingBytes -= Math.min(remainingBytes, chunk.length)
  })
  child.stderr.on('error', () => {})
  child.on('error', (error) => {
    if (child.pid === undefined) finish(request.token, { errorCode: error.code ?? 'unknown' })
  })
  child.on('exit', () => {
    if (!launch.stopped) return
    clearTimeout(launch.timer)
    signal(launch, 'SIGKILL')
  })
  child.on('close', (code) => {
    if (child.pid !== undefined) finish(request.token, { code, stderr: Buffer.concat(stderrChunks).toString() })
  })
}

const start = (request) => {
  const launch = { child: undefined, stopped: false, timer: undefined }
  launches.set(request.token, launch)
  const socket = new Socket()
  // The process reads the input, not the helper.
  socket.pause()
  const fail = (error) => finish(request.token, { errorCode: error.code ?? 'unknown' })
  socket.once('error', fail)
  socket.connect(socketPath, () => {
    socket.write(request.token, (error) => {
      if (error) return
      socket.off('error', fail)
      socket.on('error', () => {})
      if (launch.stopped) finish(request.token, { errorCode: 'ECANCELED' })
      else {
        try {
          run(launch, socket, request)
        } catch (error) {
          fail(error)
        }
      }
      socket.destroy()
    })
  })
}

const close = () => {
  if (closing) return
  closing = true
  rmSync(folder, { recursive: true, force: true })
  for (const launch of launches.values()) stop(launch)
  if (launches.size === 0) process.exit()
  setTimeout(() => process.exit(), 2000)
}

process.on('message', (message) => {
  if (message.stop) {
    const launch = launches.get(message.stop)
    if (launch) stop(launch)
  } else start(message)
})
process.on('disconnect', close)
process.on('SIGTERM', close)
process.on('SIGINT', close)
`
