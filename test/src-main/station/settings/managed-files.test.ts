import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type AdministratorFile,
  parseConfig,
  type Reading,
  readManagedFile,
} from '../../../../src-main/station/settings/managed-files.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

function file(content: unknown): string {
  const path = join(temporaryFolder(), 'config.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const read = (path: string): Promise<Reading<AdministratorFile>> => readManagedFile(path, parseConfig)

describe('a configuration file', () => {
  it('states defaults, with full paths of folders, and its secret stays out of them', async () => {
    const service = { ...SERVICE, clientSecret: 'hush' }
    const content = { service, folders: [{ path: 'exports' }, { path: '/mnt/camera' }] }
    expect(await read(file(content))).toMatchObject({
      state: 'read',
      content: {
        defaults: {
          service: SERVICE,
          folders: [{ path: resolve('exports') }, { path: resolve('/mnt/camera') }],
        },
        enforced: {},
        service,
        unknownNames: [],
      },
    })
    expect(JSON.stringify(parseConfig(content).defaults)).not.toContain('hush')
  })

  it('may begin with a byte order mark, as editors on Windows write it', async () => {
    expect(await read(file(`\uFEFF${JSON.stringify({ centerId: '101' })}`))).toMatchObject({
      content: { defaults: { centerId: '101' } },
    })
  })

  it('reports the names in it that mean nothing', async () => {
    const content = {
      centreId: '101',
      service: { ...SERVICE, secret: 'hush' },
      folders: [{ path: '/camera', settleSecond: 3 }],
      patientList: { path: '/list.csv', columns: { whatever: 'age' } },
      delivery: { concurrency: 3, lookSeconds: [1] },
    }
    expect(await read(file(content))).toMatchObject({
      content: { unknownNames: ['centreId', 'service.secret', 'folders.0.settleSecond'] },
    })
  })

  it('enforces what it states, and reports the names in its list that mean nothing', async () => {
    const content = { service: SERVICE, setup: 'done', enforced: ['service', 'setup', 'folders', 'sevrice'] }
    expect(await read(file(content))).toMatchObject({
      content: {
        defaults: { setup: 'done' },
        enforced: { service: SERVICE },
        unknownNames: ['enforced: setup', 'enforced: folders', 'enforced: sevrice'],
      },
    })
  })

  it.each([
    ['has a list of locks that is none', { service: SERVICE, enforced: 'service' }, /enforced: /],
    ['is no JSON', '{"clientSecret":"hush",', /it is not JSON/],
    ['is a list', ['hush'], /the file: /],
    ['has an http address', { service: { ...SERVICE, baseUrl: 'http://a.example' } }, /service\.baseUrl: /],
    ['has an unknown field', { requiredFields: ['patient'] }, /requiredFields\.0: /],
    ['has a folder without a path', { folders: [{}] }, /folders\.0\.path: /],
    ['has a folder with an empty path', { folders: [{ path: '' }] }, /folders\.0\.path: /],
    ['has an impossible number', { delivery: { concurrency: 99 } }, /delivery\.concurrency: /],
  ])('that %s is refused with the path of the fault', async (_what, content, fault) => {
    expect(await read(file(content))).toEqual({ state: 'broken', detail: expect.stringMatching(fault) })
  })

  it('that is not there is none', async () => {
    const detail = 'it cannot be read (ENOENT).'
    expect(await read('/nowhere/config.json')).toEqual({ state: 'none', detail })
  })

  it('never gives its secret away in what it complains of', async () => {
    const content = {
      service: { ...SERVICE, clientSecret: 'hush', baseUrl: 'http://x.example' },
      hush: 1,
    }
    expect(JSON.stringify(await read(file(content)))).not.toContain('hush')
  })
})
