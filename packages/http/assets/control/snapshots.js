/** Reset of the world, and its snapshots. */

import {
  announce,
  confirmAction,
  createButton,
  createElement,
  createText,
  find,
  renderList,
  runOnClick,
} from './dom.js'
import { requestJson } from './server.js'

const createSnapshotRow = (name) =>
  createElement(
    'li',
    {},
    createText('name', name),
    createButton('Restore', `Restore the snapshot ${name}`, async () => {
      if (!(await confirmAction(`Replace the current data by the snapshot “${name}”?`, 'Restore'))) return
      await requestJson('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
      announce(`Restored the snapshot ${name}`)
    }),
    createButton('Delete', `Delete the snapshot ${name}`, async () => {
      if (!(await confirmAction(`Delete the snapshot “${name}”?`, 'Delete'))) return
      await requestJson('DELETE', `/snapshots/${encodeURIComponent(name)}`)
      announce(`Deleted the snapshot ${name}`)
    }),
  )

export const renderSnapshots = (names) => renderList('snapshots', names, createSnapshotRow)

const formatSize = (bytes) => `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`

export const startSnapshots = () => {
  find('snapshot-form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const name = find('snapshot-name').value.trim()
    try {
      const snapshot = await requestJson('POST', '/snapshots', name === '' ? {} : { name })
      find('snapshot-name').value = ''
      announce(`Took the snapshot ${snapshot.name}, ${formatSize(snapshot.bytes)}`)
    } catch (error) {
      announce(error.message)
    }
  })
  runOnClick(find('reset'), async () => {
    if (!(await confirmAction('Restore the initial data and clock, end all faults and empty the journal?', 'Reset'))) {
      return
    }
    await requestJson('POST', '/reset')
    announce('The world was reset')
  })
}
