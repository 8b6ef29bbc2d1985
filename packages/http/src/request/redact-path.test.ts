import { describe, expect, it } from 'vitest'
import { redactPath } from './redact-path.ts'

describe('redactPath', () => {
  it.each([
    ['/api/v4/projects/acme%2Fweb/labels', '/api/v4/projects/acme%2Fweb/labels'],
    ['/api/v4/projects/1/labels?private_token=secret-1&page=2', '/api/v4/projects/1/labels'],
    ['/api/v4/projects/1/labels#private_token=secret-1', '/api/v4/projects/1/labels'],
    ['/api/v4/projects/1/labels/token%20rotation', '/api/v4/projects/1/labels/token%20rotation'],
    ['/api/v4/projects/acme%2Fpassword-store', '/api/v4/projects/acme%2Fpassword-store'],
    ['', ''],
  ])('%s → %s', (target, path) => {
    expect(redactPath(target)).toBe(path)
  })

  it.each([
    '/api/v4/labels%3Fprivate_token=secret-1',
    '/api/v4/labels%3fpage=1%26access_token=secret-1',
    '/api/v4/labels&private-token=secret-1',
    '/api/v4/labels;job_token=secret-1;x=1',
    '/api/v4/private_token=secret-1/labels',
    '/api/v4/PRIVATE_TOKEN=secret-1',
    '/api/v4/%70rivate_token=secret-1',
    '/api/v4/client_secret=secret-1',
    '/api/v4/user/fgpat-secret-1',
    '/api/v4/user/glpat-secret-1.01.x',
    '/api/v4/user/%66gpat-secret-1',
  ])('hides the secret in %s', (target) => {
    const path = redactPath(target)
    expect(path).not.toContain('secret-1')
    expect(path).toContain('[hidden]')
  })

  it('limits the length', () => {
    expect(redactPath(`/${'%3f&'.repeat(50_000)}`).length).toBeLessThanOrEqual(2_048)
    expect(redactPath(`/${'glpat-'.repeat(50_000)}`).length).toBeLessThanOrEqual(2_048)
  })
})
