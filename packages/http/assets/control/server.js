/** Requests to the control plane, with its token if it has one. */

import { find } from './dom.js'

const baseUrl = new URL('_forgelet', document.baseURI).href
const tokenKey = 'forgelet-control-token'

let prompt

const promptForToken = (hint) => {
  const dialog = find('token-dialog')
  if (hint) find('token-hint').textContent = hint
  prompt ??= new Promise((resolve) => {
    find('token-form').onsubmit = (event) => {
      event.preventDefault()
      sessionStorage.setItem(tokenKey, find('token').value)
      find('token').value = ''
      prompt = undefined
      dialog.close()
      resolve()
    }
    // The page has no data without it.
    dialog.oncancel = (event) => event.preventDefault()
    dialog.showModal()
  })
  return prompt
}

/** Sends a request; prompts for the token until the server accepts it. */
export const sendRequest = async (method, path, body) => {
  for (;;) {
    const token = sessionStorage.getItem(tokenKey)
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 401) {
      await promptForToken(token === null ? undefined : 'The token is wrong. The server was started with it.')
      continue
    }
    if (response.ok) return response
    const reply = await response.json().catch(() => ({}))
    throw new Error(reply.message ?? reply.error ?? `The server replied ${response.status}`)
  }
}

/** Sends a request and returns the JSON of its response; undefined for a response without content. */
export const requestJson = async (method, path, body) => {
  const response = await sendRequest(method, path, body)
  return response.status === 204 ? undefined : response.json()
}
