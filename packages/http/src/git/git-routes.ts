import { features } from '@forgelet/core/operations'

const { gitTransport } = features

/** The routes of git's smart HTTP protocol (gitprotocol-http), below the URL of a repository, with their operations. */
export const gitRoutes = {
  'advertise-upload-pack': {
    method: 'GET',
    path: '/:path.git/info/refs',
    query: 'service=git-upload-pack',
    operation: gitTransport.advertiseUploadPack,
  },
  'upload-pack': {
    method: 'POST',
    path: '/:path.git/git-upload-pack',
    query: '',
    operation: gitTransport.uploadPack,
  },
  'advertise-receive-pack': {
    method: 'GET',
    path: '/:path.git/info/refs',
    query: 'service=git-receive-pack',
    operation: gitTransport.advertiseReceivePack,
  },
  'receive-pack': {
    method: 'POST',
    path: '/:path.git/git-receive-pack',
    query: '',
    operation: gitTransport.receivePack,
  },
} as const

/** What a client of git's HTTP protocol requests. */
export type GitAction = keyof typeof gitRoutes
