import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configurationPage } from '../../tools/configuration-page.ts'
import { temporaryFolder } from './temporary-folder.ts'

const projectFolder = resolve(import.meta.dirname, '../..')
const rowOf = (setting: string): string | undefined =>
  configurationPage()
    .split('\n')
    .find((line) => line.startsWith(`| \`${setting}\` |`))

describe('docs/configuration.md', () => {
  it('is what the settings say of themselves (npm run docs)', () => {
    expect(readFileSync(join(projectFolder, 'docs/configuration.md'), 'utf8')).toBe(configurationPage())
  })

  it.each([
    ['folders[].path', 'text | required'],
    ['folders[].settleSeconds', '0 to 3,600 | `5`'],
    ['folders[].sendWithoutReview', '`true`, `false` | `false`'],
    ['service.callbackUrl', 'text, `null` | `null`'],
    ['centerId', 'text, `null` | `null`'],
    ['delivery.bytesPerSecond', '4,096 or more, `null` | `null`'],
    ['storage.keepImagesDays', '1 to 36,500, `null` | `180`'],
    ['notifications.reports', '`all`, `urgent`, `off` | `all`'],
    ['notifications.quiet.from', 'text | required'],
    ['profiles[].eyeWords.right', 'list of texts | `[]`'],
    ['requiredFields', 'list of field names | `["history_number"]`'],
  ])('says which values %s takes, and its default', (setting, facts) => {
    expect(rowOf(setting)).toContain(`| ${facts} |`)
  })

  it('is compared by the check', async () => {
    const page = join(temporaryFolder(), 'configuration.md')
    const check = (): number | null =>
      spawnSync(process.execPath, [join(projectFolder, 'tools/write-configuration.ts'), '--check', page])
        .status
    await writeFile(page, configurationPage())
    expect(check()).toBe(0)
    await writeFile(page, configurationPage().replace('`5`', '`6`'))
    expect(check()).toBe(1)
  })
})
