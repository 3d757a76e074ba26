import type { Image } from '../../src-shared/submission.ts'
import { formatDay } from '../format/instants.ts'

import { t } from '../words/t.ts'
/** What the button around an image is called: it holds all words that stand in it. */
export function openLabel({ removedAt }: Pick<Image, 'removedAt'>, name: string): string {
  return removedAt === null
    ? t('submission:images.open', { what: name })
    : t('submission:images.openRemoved', {
        what: name,
        removed: t('part:removed', { day: formatDay(removedAt) }),
      })
}
