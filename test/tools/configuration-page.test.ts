import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configurationPage } from '../../tools/configuration-page.ts'

const PAGE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
const rowOf = (setting: string): string | undefined =>
  PAGE.split('\n').find((line) => line.startsWith(`| \`${setting}\` |`))

describe('docs/configuration.md', () => {
  it('is what the settings say of themselves (npm run docs)', () => {
    expect(PAGE).toBe(configurationPage())
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
    ['folders[].eyeWords.right', 'list of texts | `[]`'],
    ['requiredFields', 'list of field names | `["history_number"]`'],
  ])('says which values %s takes, and its default', (setting, facts) => {
    expect(rowOf(setting)).toContain(`| ${facts} |`)
  })
})
