/**
 * The program of the helper process, plain JavaScript for `node -e`, given the folder of the socket as its argument.
 *
 * It is text, not a file beside this one: a path relative to this module would have to be right in the sources, in the
 * built package and in whatever bundle a host makes of it, while text is wherever the module is.
 *
 * For each request the helper connects to the socket, sends the request's token and hands the connection to the process
 * as its input and output. Bytes then flow between that process and the host directly, at the speed of the slower one.
 * The helper ends with the host: the channel between them closes whichever way the host dies.
 */
export const helperProgram = `'use strict'
const { spawn } = require('node:child_process')
const { rmSync } = require('node:fs')
const { Socket } = require('node:net')
const { join } = require('node:path')

const folder = process.argv[1]
process.title = 'forgelet-git ' + folder
const address = join(folder, 'socket')
const entries = new Map()
let leaving = false

const say = (message) => {
  if (process.connected) process.send(message, () => {})
}

const finish = (token, message) => {
  entries.delete(token)
  say({ token, ...message })
  if (leaving && entries.size === 0) process.exit()
}

const signal = (entry, name) => {
  try {
    process.kill(-entry.child.pid, name)
  } catch {}
}

const stop = (entry) => {
  entry.stopped = true
  if (!entry.child || entry.timer) return
  signal(entry, 'SIGTERM')
  entry.timer = setTimeout(signal, 1000, entry, 'SIGKILL')
}

const run = (entry, socket, request) => {
  const complaints = []
  let room = request.complaintBytes
  const child = spawn(request.program, request.arguments, {
    cwd: '/',
    env: request.environment,
    detached: true,
    stdio: [request.input ? socket : 'ignore', socket, 'pipe'],
  })
  entry.child = child
  child.stderr.on('data', (chunk) => {
    complaints.push(chunk.subarray(0, room))
    room -= Math.min(room, chunk.length)
  })
  child.on('error', (error) => {
    if (child.pid === undefined) finish(request.token, { failure: error.code ?? 'unknown' })
  })
  child.on('exit', () => {
    if (!entry.stopped) return
    clearTimeout(entry.timer)
    signal(entry, 'SIGKILL')
  })
  child.on('close', (code) => {
    if (child.pid !== undefined) finish(request.token, { code, complaint: Buffer.concat(complaints).toString() })
  })
}

const launch = (request) => {
  const entry = { child: undefined, stopped: false, timer: undefined }
  entries.set(request.token, entry)
  const socket = new Socket()
  // What the host sends is for the process alone.
  socket.pause()
  const fail = (error) => finish(request.token, { failure: error.code ?? 'unknown' })
  socket.once('error', fail)
  socket.connect(address, () => {
    socket.write(request.token, (error) => {
      if (error) return
      socket.off('error', fail)
      socket.on('error', () => {})
      if (entry.stopped) finish(request.token, { failure: 'ECANCELED' })
      else {
        try {
          run(entry, socket, request)
        } catch (error) {
          fail(error)
        }
      }
      socket.destroy()
    })
  })
}

const leave = () => {
  if (leaving) return
  leaving = true
  rmSync(folder, { recursive: true, force: true })
  for (const entry of entries.values()) stop(entry)
  if (entries.size === 0) process.exit()
  setTimeout(() => process.exit(), 2000)
}

process.on('message', (message) => {
  if (message.stop) {
    const entry = entries.get(message.stop)
    if (entry) stop(entry)
  } else launch(message)
})
process.on('disconnect', leave)
process.on('SIGTERM', leave)
process.on('SIGINT', leave)
`
