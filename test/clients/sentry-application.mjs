import { captureException, captureMessage, flush, init } from '@sentry/node'

const [, , dsn] = process.argv

init({ dsn, release: '1.2.0', environment: 'production', defaultIntegrations: false })

const fail = () => {
  throw new TypeError('x is undefined')
}

for (let count = 0; count < 2; count++) {
  try {
    fail()
  } catch (error) {
    captureException(error)
  }
}
captureMessage('Started')
process.exitCode = (await flush(10_000)) ? 0 : 1
