import { labelIssues } from './bot.ts'

const { GITLAB_URL = 'http://127.0.0.1:8080', GITLAB_TOKEN = 'carol-token', GITLAB_PROJECT = 'acme/web' } = process.env

const lines = await labelIssues({ host: GITLAB_URL, token: GITLAB_TOKEN, project: GITLAB_PROJECT })
console.log(lines.length ? lines.join('\n') : 'Nothing to label')
