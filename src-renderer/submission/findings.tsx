/** What keeps a case here, and what is unusual about it, each with the way to the control that settles it. */
import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconInfoCircle } from '@tabler/icons-react'
import { isPending, type Reason, type SubmissionDetails, type Warning } from '../../src-shared/submission.ts'
import { baseName, eyeWithoutImage } from '../components/photo.tsx'
import { t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { reasonText } from '../queue/row-reason.tsx'
import { goTo } from '../shell/navigation.tsx'
import css from './check.module.css'
import { elementId, focusField, focusOn, useCase } from './form.ts'
import { ASKED_BY_GROUPS } from './patients-question.tsx'

/** Focuses the control that settles a finding, if this screen has it; null if none does, or if this panel does. */
function focusActionFor(
  { kind, field, imageId, message }: Reason | Warning,
  { images, unusableFiles }: SubmissionDetails,
): (() => boolean) | null {
  if (kind === 'unusableImage' || kind === 'newExport') {
    const pending = unusableFiles.filter(isPending)
    const file = pending.find(({ fileName }) => message.includes(baseName(fileName))) ?? pending[0]
    return file === undefined ? null : () => focusOn(elementId('unusable', file.id))
  }
  if (field !== undefined) return () => focusField(field)
  if (imageId !== undefined) return () => focusOn(elementId('image', imageId))
  const eye = eyeWithoutImage(images)
  if ((kind === 'eyeImageMissing' || kind === 'eyeWithoutImage') && eye !== null)
    return () => focusOn(elementId('no-image', eye))
  return null
}

type FindingProps = {
  readonly finding: Reason | Warning
  /** Does it keep the case from being sent? */
  readonly isReason: boolean
}

function Finding({ finding, isReason }: FindingProps) {
  const { details } = useCase()
  const names = useNames()
  const jump = focusActionFor(finding, details)
  // The file names of images distinguish sentences about several of them.
  const image = details.images.find(({ id }) => id === finding.imageId)
  const name = image && baseName(image.fileName)
  const Sign = isReason ? IconAlertTriangle : IconInfoCircle
  const text = (
    <>
      <Sign
        size={16}
        className={isReason ? 'amber' : 'dim'}
        role="img"
        aria-label={t(isReason ? 'proof:finding.reason' : 'proof:finding.unusual')}
      />
      <span className="grow breakable">
        {reasonText(finding, details, names)}
        {name !== undefined && !finding.message.includes(name) && (
          <span className="dim">{` \u00b7 ${names.fileName(name)}`}</span>
        )}
      </span>
    </>
  )
  return (
    <li>
      {jump ? (
        <UnstyledButton
          className={css.finding}
          onClick={() => jump() || goTo({ screen: 'submission', id: details.id })}
        >
          {text}
          <span className={css.jump}>
            {t('proof:finding.jump')}
            <IconArrowRight size={15} aria-hidden />
          </span>
        </UnstyledButton>
      ) : (
        <p className={css.finding}>{text}</p>
      )}
    </li>
  )
}

const keyOf = ({ kind, field, imageId, message }: Reason | Warning): string =>
  [kind, field, imageId, message].join('\n')

type AskedAbove = 'patient' | 'eye' | null

/** Which reasons are left to show. Until it is known whose images these are, no field can be right. Pure. */
function reasonsBelow(
  reasons: readonly Reason[],
  askedAbove: AskedAbove,
  isFrozen: boolean,
): readonly Reason[] {
  if (askedAbove === 'patient')
    return reasons.filter(({ kind, field }) => field === undefined && !ASKED_BY_GROUPS.includes(kind))
  if (askedAbove === 'eye') return reasons.filter(({ kind }) => kind !== 'eyeUnknown')
  return reasons.filter(({ kind }) => isFrozen || kind !== 'sharedNumber')
}

export function Findings({ askedAbove }: { readonly askedAbove: AskedAbove }) {
  const { details, isFrozen } = useCase()
  const { oddities, reasons } = details
  const shown = reasonsBelow(reasons, askedAbove, isFrozen)
  if (shown.length + oddities.length === 0) return null
  return (
    <ul role="list" className={css.findings}>
      {shown.map((one) => (
        <Finding key={keyOf(one)} finding={one} isReason />
      ))}
      {oddities.map((one) => (
        <Finding key={keyOf(one)} finding={one} isReason={false} />
      ))}
    </ul>
  )
}
