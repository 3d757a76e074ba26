import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../../../src-main/station/settings/config-file.ts'
import { settingsSchema } from '../../../../src-shared/settings.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

function file(content: unknown): string {
  const path = join(temporaryFolder(), 'config.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('a configuration file', () => {
  it('is read with its defaults, and its folders become full paths', async () => {
    const content = { service: SERVICE, folders: [{ path: 'exports' }, { path: '/mnt/camera' }] }
    expect(await readConfigFile(file(content))).toEqual({
      kind: 'read',
      config: {
        settings: settingsSchema.parse({
          service: SERVICE,
          folders: [{ path: resolve('exports') }, { path: resolve('/mnt/camera') }],
        }),
        stated: content,
        enforced: [],
        unknownNames: [],
      },
    })
  })

  it('may begin with a byte order mark, as editors on Windows write it', async () => {
    expect(await readConfigFile(file(`\uFEFF${JSON.stringify({ centerId: '101' })}`))).toMatchObject({
      config: { settings: { centerId: '101', requireBothEyes: false } },
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
    const read = await readConfigFile(file(content))
    expect(read).toMatchObject({
      config: { unknownNames: ['centreId', 'service.secret', 'folders.0.settleSecond'] },
    })
  })

  it('enforces what it states, and reports the names in its list that mean nothing', async () => {
    const content = { service: SERVICE, setup: 'done', enforced: ['service', 'setup', 'folders', 'sevrice'] }
    expect(await readConfigFile(file(content))).toMatchObject({
      config: {
        enforced: ['service'],
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
    ['has an impossible number', { delivery: { concurrency: 99 } }, /delivery\.concurrency: /],
  ])('that %s is refused with a sentence that names the path', async (_what, content, fault) => {
    const path = file(content)
    const read = await readConfigFile(path)
    expect(read).toMatchObject({ kind: 'unusable', message: expect.stringMatching(fault) })
    expect(read).toMatchObject({ message: expect.stringContaining(path) })
  })

  it('that is not there is refused with a sentence', async () => {
    expect(await readConfigFile('/nowhere/config.json')).toEqual({
      kind: 'unusable',
      state: 'unreadable',
      message: 'The configuration file /nowhere/config.json cannot be used: it cannot be read (ENOENT).',
      detail: 'it cannot be read (ENOENT).',
    })
  })

  it('never gives its secret away in what it complains of', async () => {
    const content = {
      service: { ...SERVICE, clientSecret: 'hush', baseUrl: 'http://x.example' },
      hush: 1,
    }
    expect(JSON.stringify(await readConfigFile(file(content)))).not.toContain('hush')
  })
})
