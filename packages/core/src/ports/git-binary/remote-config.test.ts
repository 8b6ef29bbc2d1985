import { expect, test } from 'vitest'
import { createRemoteConfig, redactSecrets } from './remote-config.ts'

const protocols = ['https', 'http', 'ssh', 'git']
const createConfig = (url: string, ipAddress?: string) =>
  createRemoteConfig({ url, ...(ipAddress ? { ipAddress } : {}) }, protocols)

test('the arguments for an HTTP remote contain no secrets', () => {
  const { url, settings, environment, secrets } = createConfig(
    'https://us%40er:p%3Aw@example.com:8443/a/b.git',
    '203.0.113.9',
  )
  expect(url).toBe('https://example.com:8443/a/b.git')
  expect(settings).toContain('http.followRedirects=false')
  expect(settings).toContain('http.curloptResolve=example.com:8443:203.0.113.9')
  expect(settings.join(' ')).not.toMatch(/p:w|p%3Aw|us/)
  expect(environment).toMatchObject({
    GIT_CONFIG_KEY_0: 'http.https://example.com:8443/.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from('us@er:p:w').toString('base64')}`,
  })
  expect(secrets).toEqual(expect.arrayContaining(['p:w', 'p%3Aw']))
  expect(createConfig('http://example.com/x', '2001:db8::1').settings).toContain(
    'http.curloptResolve=example.com:80:[2001:db8::1]',
  )
  expect(createConfig('https://example.com/x').environment).toEqual({})
})

test('ssh and git remotes connect to the IP address', () => {
  expect(createConfig('ssh://git:pw@example.com/x.git', '203.0.113.9')).toMatchObject({
    url: 'ssh://git@example.com/x.git',
    environment: {
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=30 -o HostName=203.0.113.9 -o HostKeyAlias=example.com',
    },
  })
  expect(createConfig('git://example.com/x.git', '2001:db8::1').url).toBe('git://[2001:db8::1]/x.git')
})

test('redacts secrets in messages of git', () => {
  const text = "fatal: unable to access 'https://bob:s3cret@example.com/x/': refused s3cret\n  hint: x\n"
  expect(redactSecrets(text, ['s3cret'])).toBe(
    "fatal: unable to access 'https://*****:*****@example.com/x/': refused ***** hint: x",
  )
  expect(redactSecrets('x'.repeat(5000), [])).toHaveLength(1000)
})
