import { openTidyMergeRequest } from './bot.ts'

const { GITLAB_URL = 'http://127.0.0.1:8080', GITLAB_TOKEN = 'alice-token', GITLAB_PROJECT = 'acme/web' } = process.env

const url = await openTidyMergeRequest({ host: GITLAB_URL, token: GITLAB_TOKEN, project: GITLAB_PROJECT })
console.log(url ?? 'Nothing to change')
