import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  enrolmentPath,
  isAdministratorFile,
  policyPath,
  type PolicyResult,
  readPolicy,
} from '../../../src-main/electron/managed-setup.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Whoever runs the tests writes the files of these tests. */
const ME = process.getuid?.() ?? 0
const POLICY = { enforced: { centerId: '101' } }

async function place() {
  const folder = await temporaryFolder()
  const dataFolder = join(folder, 'data')
  const path = join(folder, 'policy.json')
  const logger = recordingLogger()
  return {
    path,
    dataFolder,
    logger,
    lay: async (content: unknown, mode = 0o644) => {
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
      await chmod(path, mode)
    },
    read: (administrator = ME): Promise<PolicyResult> =>
      readPolicy({ path, dataFolder, platform: 'linux', administrator, logger }),
  }
}

it.each([
  ['linux', undefined, '/etc/fundus-courier/policy.json'],
  ['darwin', undefined, join('/Library/Application Support/Fundus Courier', 'policy.json')],
  ['win32', 'P', join('P', 'Fundus Courier', 'policy.json')],
  ['win32', undefined, null],
] as const)('lies on %s with ProgramData %j at %j', (platform, programData, path) => {
  expect(policyPath(platform, programData)).toBe(path)
})

describe('a policy file', () => {
  it('counts without any flag', async () => {
    const { lay, read, path } = await place()
    await lay(`\uFEFF${JSON.stringify(POLICY)}`)
    expect(await read()).toEqual({
      policy: { defaults: {}, enforced: { centerId: '101' }, unknownNames: [], enrolment: null },
      file: { kind: 'policy', path, state: 'read', inForce: 'this', detail: null, unknownNames: [] },
    })
  })

  it('need not be there', async () => {
    const { read, logger } = await place()
    expect(await read()).toMatchObject({ policy: null, file: { state: 'none', inForce: 'nothing' } })
    expect(logger.lines).toEqual([])
  })

  it.each<[string, string | null, number, number, string]>([
    ['broken', '{"enforced":', 0o644, ME, 'broken'],
    ['wrong in a value', '{"enforced":{"centerId":7}}', 0o644, ME, 'broken'],
    ['writable by others', JSON.stringify({ enforced: { centerId: '666' } }), 0o666, ME, 'unsafe'],
    ['writable by a group', JSON.stringify({ enforced: { centerId: '666' } }), 0o664, ME, 'unsafe'],
    ["another's", JSON.stringify({ enforced: { centerId: '666' } }), 0o644, ME + 1, 'unsafe'],
    ['gone', null, 0o644, ME, 'none'],
  ])(
    'that is %s leaves locked what was locked, and says so',
    async (_what, content, mode, administrator, state) => {
      const { lay, read, path, logger } = await place()
      await lay(POLICY)
      await read()
      if (content === null) await rm(path)
      else await lay(content, mode)
      expect(await read(administrator)).toMatchObject({
        policy: { enforced: { centerId: '101' } },
        file: { state, inForce: 'lastKnown' },
      })
      expect(logger.lines).toMatchObject([{ level: 'warn' }])
    },
  )

  it('that never could be read locks nothing, and the station goes on', async () => {
    const { lay, read } = await place()
    await lay('{"enforced":{"delivery":{"concurrency":"many"}}}')
    expect(await read()).toMatchObject({
      policy: null,
      file: {
        state: 'broken',
        inForce: 'nothing',
        detail: expect.stringContaining('enforced.delivery.concurrency: '),
      },
    })
  })

  it('is lifted by an empty one, for good', async () => {
    const { lay, read, path } = await place()
    await lay(POLICY)
    await read()
    await lay({})
    expect(await read()).toMatchObject({ policy: { enforced: {} }, file: { state: 'read' } })
    await rm(path)
    expect(await read()).toMatchObject({ policy: { enforced: {} } })
  })

  it('looks for no updates at an address that only its memory names', async () => {
    const { lay, read, path, dataFolder } = await place()
    await lay({ enforced: { updates: { feed: 'https://updates.clinic.example' } } })
    expect((await read()).policy?.enforced).toEqual({ updates: { feed: 'https://updates.clinic.example' } })
    await rm(path)
    expect((await read()).policy?.enforced).toEqual({ updates: { install: 'off' } })
    const planted = { defaults: { updates: { feed: 'https://evil.example', install: 'quietMoment' } } }
    await writeFile(join(dataFolder, 'policy-in-force.json'), JSON.stringify(planted))
    expect((await read()).policy?.defaults).toEqual({ updates: { install: 'off' } })
  })

  it('leaves no secret behind', async () => {
    const { lay, read, dataFolder } = await place()
    const service = { baseUrl: 'https://a.example', clientId: 'c', clientSecret: 'hush' }
    await lay({ enforced: { service } })
    expect((await read()).file.unknownNames).toEqual(['enforced.service.clientSecret'])
    expect(await readFile(join(dataFolder, 'policy-in-force.json'), 'utf8')).not.toContain('hush')
  })
})

it.each([
  ['linux', 0, 0o100644, true],
  ['linux', 0, 0o100600, true],
  ['linux', 0, 0o100664, false],
  ['linux', 0, 0o100646, false],
  ['darwin', 501, 0o100644, false],
  ['win32', 0, 0o100666, true],
] as const)('believes on %s a file of %d with mode %o: %j', (platform, uid, mode, isBelieved) => {
  expect(isAdministratorFile({ uid, mode }, platform)).toBe(isBelieved)
})

it.each([
  ['/etc/fc/policy.json', null, null, '/etc/fc/enrolment.json', false],
  ['/etc/fc/policy.json', 'rooms/3.json', null, '/etc/fc/rooms/3.json', true],
  ['/etc/fc/policy.json', '/srv/3.json', null, '/srv/3.json', true],
  ['/etc/fc/policy.json', '/srv/3.json', '/mnt/e.json', '/mnt/e.json', true],
])(
  'looks beside %j for the enrolment, unless it is named: %j %j',
  (policy, named, said, path, isExpected) => {
    expect(enrolmentPath(policy, { enrolment: named }, said)).toEqual({ path, isExpected })
  },
)
