import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../../src-main/headless/read-config.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

function file(content: unknown): string {
  const path = join(temporaryFolder(), 'config.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('a configuration file', () => {
  it('is read with its defaults, and its folders become full paths', async () => {
    const path = file({ service: SERVICE, folders: [{ path: 'exports' }, { path: '/mnt/camera' }] })
    expect(await readConfig(path)).toEqual(
      settingsSchema.parse({
        service: SERVICE,
        folders: [{ path: resolve('exports') }, { path: '/mnt/camera' }],
      }),
    )
  })

  it('may begin with a byte order mark, as editors on Windows write it', async () => {
    expect(await readConfig(file(`\uFEFF${JSON.stringify({ centerId: '101' })}`))).toMatchObject({
      centerId: '101',
    })
  })

  it.each([
    ['is no JSON', '{"service":', /not valid JSON/],
    ['is a list', [], /cannot be used/],
    [
      'has an http address',
      { service: { ...SERVICE, baseUrl: 'http://service.example' } },
      /service\.baseUrl/,
    ],
    ['has an unknown field', { requiredFields: ['patient'] }, /requiredFields\.0/],
    ['has an impossible number', { delivery: { concurrency: 99 } }, /delivery\.concurrency/],
  ])('that %s is refused with a sentence that names the place', async (_what, content, words) => {
    const path = file(content)
    const error = await readConfig(path).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as ConfigError).message).toMatch(words)
    expect((error as ConfigError).message).toContain(path)
  })

  it('that is not there is refused with a sentence', async () => {
    await expect(readConfig('/nowhere/config.json')).rejects.toThrow(/cannot be read\.$/)
  })

  it('never gives its secret away in what it complains of', async () => {
    const content = {
      service: { ...SERVICE, clientSecret: 'very secret', baseUrl: 'http://x.example' },
      extra: 1,
    }
    await expect(readConfig(file(content))).rejects.not.toThrow(/very secret/)
  })
})
