import { expect, test } from 'vitest'
import { parseLockFile } from './formats.ts'

const read = (path: string, text: string) => {
  const result = parseLockFile({ path, text })
  return 'problem' in result ? result.problem : result.packages.map(({ name, version }) => `${name} ${version}`)
}

const gemfile = `GEM
  remote: https://user:secret@gems.example.com/
  specs:
    nokogiri (1.15.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.7.1)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  nokogiri (= 9.9.9)

BUNDLED WITH
   2.4.10
`

const pom = `<?xml version="1.0"?>
<!DOCTYPE project [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.parent</groupId><artifactId>parent</artifactId><version>9</version></parent>
  <version>3.0.0</version>
  <properties><spring.version>5.3.1</spring.version></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>org.springframework</groupId><artifactId>spring-core</artifactId><version>\${spring.version}</version>
      <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions>
    </dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>
    <dependency><groupId>com.acme</groupId><artifactId>own</artifactId><version>\${project.version}</version></dependency>
    <dependency><groupId>com.acme</groupId><artifactId>open</artifactId><version>\${missing}</version></dependency>
    <dependency><groupId>&b;</groupId><artifactId>entity</artifactId></dependency>
  </dependencies>
</project>`

test.each([
  ['Gemfile.lock', gemfile, ['nokogiri 1.15.0-x86_64-linux', 'racc 1.7.1']],
  [
    'pom.xml',
    pom,
    [
      'org.springframework/spring-core 5.3.1',
      'junit/junit 4.13',
      'com.acme/own 3.0.0',
      'com.acme/open ',
      '&b;/entity ',
    ],
  ],
  ['composer.lock', JSON.stringify({ packages: [{ name: 'a/b', version: 'v1.0' }], 'packages-dev': [] }), ['a/b v1.0']],
  [
    'Pipfile.lock',
    JSON.stringify({ default: { flask: { version: '==2.0' } }, develop: { x: {} } }),
    ['flask 2.0', 'x '],
  ],
  [
    'package-lock.json',
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { name: 'root', version: '1.0.0' },
        'packages/own': { version: '1.0.0' },
        'node_modules/own': { resolved: 'packages/own', link: true },
        'node_modules/a': { version: '1.0.0', resolved: 'https://user:secret@npm.example.com/a.tgz' },
        'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
        'node_modules/alias': { name: 'real', version: '3.0.0' },
        'node_modules/d': { version: 'git+https://user:secret@example.com/d.git#1' },
      },
    }),
    ['a 1.0.0', '@b/c 2.0.0', 'real 3.0.0', 'd '],
  ],
  [
    'npm-shrinkwrap.json',
    JSON.stringify({
      lockfileVersion: 1,
      dependencies: { a: { version: '1.0.0', dependencies: { b: { version: '2' } } } },
    }),
    ['a 1.0.0', 'b 2'],
  ],
  [
    'requirements.txt',
    `-r other.txt
--index-url https://user:secret@pypi.example.com
# comment
Django==4.2.1 \\
    --hash=sha256:abc
requests[socks]==2.31.0 ; python_version < "3.9"  # why
flask>=2.0
plain
pkg @ https://user:secret@example.com/pkg.whl
./local
git+https://example.com/x.git#egg=x
`,
    ['Django 4.2.1', 'requests 2.31.0', 'flask ', 'plain ', 'pkg '],
  ],
  [
    'yarn.lock',
    `# yarn lockfile v1


"@a/b@^1.0.0", "@a/b@^1.1.0":
  version "1.2.0"
  resolved "https://registry.yarnpkg.com/b.tgz#abc"
  dependencies:
    lodash "^4.17.0"

lodash@^4.17.0:
  version "4.17.21"
`,
    ['@a/b 1.2.0', 'lodash 4.17.21'],
  ],
  [
    'yarn.lock',
    `__metadata:
  version: 8

"alias@npm:real@^1.0.0":
  version: 1.1.0
  resolution: "real@npm:1.1.0"

"own@workspace:.":
  version: 0.0.0-use.local
  resolution: "own@workspace:."
`,
    ['real 1.1.0'],
  ],
  [
    'pnpm-lock.yaml',
    `lockfileVersion: '9.0'
packages:
  '@a/b@1.0.0':
    resolution: {integrity: sha512-x}
  c@2.0.0(d@1.0.0):
    resolution: {integrity: sha512-y}
  e@https://user:secret@example.com/e.tgz:
    resolution: {tarball: https://example.com}
    version: 3.0.0
`,
    ['@a/b 1.0.0', 'c 2.0.0', 'e 3.0.0'],
  ],
  [
    'pnpm-lock.yaml',
    'lockfileVersion: 5.4\npackages:\n  /@a/b/1.0.0_c@2.0.0:\n    dev: true\n  /d/1.0.0:\n    dev: true\n',
    ['@a/b 1.0.0', 'd 1.0.0'],
  ],
])('reads %s', (path, text, packages) => {
  expect(read(path, text)).toEqual(packages)
})

test('keeps the licenses of a file', () => {
  const text = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', license: 'MIT' } } })
  expect(parseLockFile({ path: 'web/package-lock.json', text })).toEqual({
    packages: [{ name: 'a', version: '1.0.0', licenses: ['MIT'] }],
  })
})

const many = Array.from({ length: 20_001 }, (_, index) => `package-${index}==1.0`).join('\n')

test.each([
  ['package-lock.json', '{', 'is not valid JSON'],
  ['composer.lock', '[]', 'is not a JSON object'],
  ['Gemfile.lock', '<<<<<<< HEAD\nGEM\n', 'has conflict markers'],
  ['Gemfile.lock', 'hello', 'has no section of a Gemfile.lock'],
  ['pom.xml', '<project><dependencies>', 'is not valid XML'],
  ['pom.xml', 'hello', 'has no element project'],
  ['pom.xml', '<a>'.repeat(200_000), 'has more than 100 nested elements'],
  ['requirements.txt', 'Django==1\n!!', 'has no requirement in line 2'],
  ['requirements.txt', many, 'has more than 20000 packages'],
  ['yarn.lock', '# yarn lockfile v1\n\n\n: : :\n', 'is not a valid lock file'],
  ['yarn.lock', `a: ${'['.repeat(100_000)}`, 'is not a valid lock file'],
  ['pnpm-lock.yaml', 'packages: {}', 'has no lockfileVersion'],
  ['Pipfile.lock', '['.repeat(1_000_000), 'is not valid JSON'],
])('reports a damaged %s', (path, text, problem) => {
  expect(read(path, text)).toBe(problem)
})

test('a deep nesting of packages is read without recursion', () => {
  let nested = '{"version":"1"}'
  for (let depth = 0; depth < 3_000; depth++) nested = `{"version":"1","dependencies":{"p${depth}":${nested}}}`
  expect(read('package-lock.json', nested)).toHaveLength(3_000)
})

test('names of prototypes are names, and change no object', () => {
  const text = '{"dependencies":{"__proto__":{"version":"1"},"constructor":{"version":"2","polluted":true}}}'
  expect(read('package-lock.json', text)).toEqual(['constructor 2', '__proto__ 1'])
  expect(read('yarn.lock', '__metadata:\n  version: 8\n"__proto__":\n  version: 1\n  polluted: true\n')).not.toContain(
    'polluted',
  )
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('aliases of YAML are not copied', () => {
  const levels = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at},*a${at},*a${at},*a${at}]`)
  expect(read('pnpm-lock.yaml', ['lockfileVersion: 9', 'a0: &a0 x', ...levels, 'packages: *a30'].join('\n'))).toEqual(
    [],
  )
})
