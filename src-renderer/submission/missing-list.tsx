import { IconInfoCircle, IconPencil } from '@tabler/icons-react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { eyeWithoutImage } from './board-images.ts'
import { JumpList } from './jump-list.tsx'
import css from './missing-list.module.css'
import { t } from '../words/t.ts'

export type MissingListProps = {
  readonly details: Pick<SubmissionDetails, 'fields' | 'reasons' | 'oddities' | 'images'>
}

/** What keeps a submission here, and below it what is only unusual: seen, and never in the way. */
export function MissingList({ details }: MissingListProps) {
  const { reasons, oddities, images } = details
  const common = {
    of: details,
    eyeWithoutImage: eyeWithoutImage(images),
    nameOf: (id: string) =>
      images
        .find((image) => image.id === id)
        ?.fileName.split('/')
        .at(-1) ?? null,
  }
  return (
    <>
      {reasons.length > 0 && (
        <section className={css.panel} aria-labelledby="missing">
          <h2 id="missing" className={css.title}>
            <IconPencil size={17} aria-hidden />
            {t('submission:missing.title')}
          </h2>
          <JumpList items={reasons} {...common} />
        </section>
      )}
      {oddities.length > 0 && (
        <section className={css.quiet} aria-labelledby="unusual">
          <h2 id="unusual" className={css.quietTitle}>
            <IconInfoCircle size={16} aria-hidden />
            {t('submission:unusual.title')}
            <span>{t('submission:unusual.explain')}</span>
          </h2>
          <JumpList items={oddities} {...common} />
        </section>
      )}
    </>
  )
}
