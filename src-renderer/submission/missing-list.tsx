/** What keeps a case from being sent, with links to fields and images. */
import { UnstyledButton } from '@mantine/core'
import { IconArrowRight, IconInfoCircle, IconPencil } from '@tabler/icons-react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Reason, Submission, SubmissionDetails, Warning } from '../../src-shared/submission.ts'
import { Caution as Sentence } from '../components/notices.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { reasonText } from '../queue/detail-cell.tsx'
import { baseName, eyeWithoutImage } from '../components/photo.tsx'
import type { Caution } from './delivery.tsx'
import { focusField, focusImage, focusNoImage } from './fields-context.ts'
import css from './missing-list.module.css'

/** Focuses the control that fixes a reason, or null if there is none. */
function focusActionFor(
  { kind, field, imageId }: Reason | Warning,
  eyeWithoutImage: Eye | null,
): (() => void) | null {
  if (field !== undefined) return () => focusField(field)
  if (imageId !== undefined) return () => focusImage(imageId)
  if ((kind === 'eyeImageMissing' || kind === 'eyeWithoutImage') && eyeWithoutImage !== null)
    return () => focusNoImage(eyeWithoutImage)
  return null
}

type JumpListProps = {
  readonly of: Pick<Submission, 'fields' | 'images'>
  readonly items: readonly (Reason | Warning)[]
  readonly eyeWithoutImage: Eye | null
  /** The file names of images, which distinguish sentences about several of them. */
  readonly nameOf: (imageId: string) => string | null
}

function JumpList({ of, items, eyeWithoutImage, nameOf }: JumpListProps) {
  const names = useNames()
  return (
    <ul role="list">
      {items.map((item) => {
        const jump = focusActionFor(item, eyeWithoutImage)
        const name = item.imageId === undefined ? null : nameOf(item.imageId)
        const text = (
          <span className={css.text}>
            {reasonText(item, of, names)}
            {name !== null && !item.message.includes(name) && (
              <span className={css.name}>{` \u00b7 ${names.fileName(name)}`}</span>
            )}
          </span>
        )
        return (
          <li key={[item.kind, item.field, item.imageId, item.message].join('\n')}>
            {jump ? (
              <UnstyledButton className={css.reason} onClick={jump}>
                {text}
                <span className={css.jump}>
                  {t('submission:missing.jump')}
                  <IconArrowRight size={15} aria-hidden />
                </span>
              </UnstyledButton>
            ) : (
              <p className={css.reason}>{text}</p>
            )}
          </li>
        )
      })}
    </ul>
  )
}

type MissingListProps = {
  readonly details: Pick<SubmissionDetails, 'fields' | 'reasons' | 'oddities' | 'images'>
}

export function MissingList({ details }: MissingListProps) {
  const { reasons, oddities, images } = details
  const common = {
    of: details,
    eyeWithoutImage: eyeWithoutImage(images),
    nameOf(id: string) {
      const image = images.find((one) => one.id === id)
      return image ? baseName(image.fileName) : null
    },
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

export function Cautions({ cautions }: { readonly cautions: readonly Caution[] }) {
  return cautions.map((caution) => <Sentence key={caution.kind}>{sentenceOf(caution)}</Sentence>)
}

function sentenceOf(caution: Caution): string {
  return caution.kind === 'centerUnsure'
    ? t('submission:decision.cautions.centerUnsure')
    : t(`submission:decision.cautions.${caution.kind}`, { ids: caution.caseIds.join(', ') })
}
