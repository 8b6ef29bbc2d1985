import { expect, test } from 'vitest'
import { createRemoteConfig } from './remote-config.ts'

const protocols = ['https', 'http', 'ssh', 'git']
const createConfig = (url: string, ipAddress?: string) =>
  createRemoteConfig({ url, ...(ipAddress ? { ipAddress } : {}) }, protocols)

test('the arguments for an HTTP remote contain no secrets', () => {
  const { url, settings, environment, credentials } = createConfig(
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
  expect(credentials).toMatchObject({ user: 'us@er', secrets: expect.arrayContaining(['p:w']) })
  expect(createConfig('http://example.com/x', '2001:db8::1').settings).toContain(
    'http.curloptResolve=example.com:80:[2001:db8::1]',
  )
  expect(createConfig('https://example.com/x').environment).toEqual({})
  const literal = createConfig('http://[2001:db8::1]/x', '2001:db8::1')
  expect(literal.settings.join(' ')).not.toContain('curloptResolve')
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
