/** The files of a case that cannot be used: what each is, and what a person decides on it. */
import { Group, Stack } from '@mantine/core'
import { IconHourglass, IconPhotoX } from '@tabler/icons-react'
import type { CallInput } from '../../src-shared/contract.ts'
import { isPending, type UnusableFile } from '../../src-shared/submission.ts'
import { SmallButton } from '../components/controls.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useCall } from '../store/use-station.ts'
import { elementId, useCase } from './form.ts'
import { ReasonPopover } from './exclude-image.tsx'
import css from './unusable-files.module.css'

type Decision = Pick<CallInput<'submissions.decideFile'>, 'decision' | 'why'>

/** One entry a file; those whose new export is here are not shown any more. */
export function UnusableFiles() {
  const { details, isFrozen, asShown, take } = useCase()
  const { isBusy, failure, call } = useCall()
  const files = details.unusableFiles.filter(({ decision }) => decision !== 'replaced')
  if (files.length === 0) return null
  const decide = async (fileId: string, made: Decision): Promise<void> => {
    const changed = await call('submissions.decideFile', { ...asShown(), fileId, ...made })
    if (changed) take(changed)
  }
  return (
    <Stack component="ul" role="list" gap={8} mb={10} aria-label={t('submission:unusable.title')}>
      {files.map((file) => (
        <li
          key={file.id}
          id={elementId('unusable', file.id)}
          className={css.file}
          data-tone={isFrozen || !isPending(file) ? 'grey' : 'amber'}
        >
          <FileEntry file={file} isBusy={isBusy} onDecide={(made) => void decide(file.id, made)} />
        </li>
      ))}
      {failure && (
        <li className="red" role="alert">
          {messageOf(failure)}
        </li>
      )}
    </Stack>
  )
}

type FileEntryProps = {
  readonly file: UnusableFile
  readonly isBusy: boolean
  readonly onDecide: (made: Decision) => void
}

function FileEntry(props: FileEntryProps) {
  const { file } = props
  const { details, isFrozen } = useCase()
  const names = useNames()
  const name = names.fileName(baseName(file.fileName))
  const image = details.images.find(({ id }) => id === file.replacedBy)
  const isAsked = isPending(file) && image !== undefined
  return (
    <>
      {isAsked ? (
        <Photo image={image} className={css.photo} />
      ) : (
        <IconPhotoX size={28} className="amber" aria-hidden />
      )}
      <Stack gap={2} miw={0}>
        <Group component="h3" gap="2px 8px" className="breakable">
          {!isAsked && <span>{t(`field:eye.${file.eye}.${file.eye === 'unknown' ? 'name' : 'full'}`)}</span>}
          <span className={isAsked ? undefined : 'truncate'} title={names.fileName(file.fileName)}>
            {isAsked ? t('submission:unusable.asked', { what: name }) : name}
          </span>
        </Group>
        <p>{isAsked ? t('submission:unusable.askedMeans') : messageOf(file)}</p>
        {!isAsked && <Standing file={file} />}
      </Stack>
      {!isFrozen && (
        <Group gap={6} style={{ gridColumn: 2 }}>
          <Choices {...props} name={name} isAsked={isAsked} />
        </Group>
      )}
    </>
  )
}

/** How the case stands to the file now. */
function Standing({ file: { decision, because } }: Pick<FileEntryProps, 'file'>) {
  const { details, isFrozen } = useCase()
  if (decision === 'exclude')
    return <p className="bold breakable">{t('submission:unusable.leftOut', { why: because ?? '' })}</p>
  const isWithout = isFrozen || decision === 'sendAsItIs'
  if (isWithout && decision !== 'sendAsItIs' && details.state === 'discarded') return null
  return (
    <Group component="p" gap={5} className="bold">
      {!isWithout && <IconHourglass size={15} aria-hidden />}
      {t(isWithout ? 'submission:unusable.without' : 'submission:unusable.waits')}
    </Group>
  )
}

const USUAL_REASONS = ['another', 'mistake', 'otherPatient', 'notFundus'] as const

type ChoicesProps = FileEntryProps & { readonly name: string; readonly isAsked: boolean }

function Choices({ file, isBusy, name, isAsked, onDecide }: ChoicesProps) {
  const button = (text: string, made: Decision) => (
    <SmallButton disabled={isBusy} onClick={() => onDecide(made)}>
      {text}
    </SmallButton>
  )
  if (isAsked)
    return (
      <>
        {button(t('submission:unusable.isNew'), { decision: 'isNewExport' })}
        {button(t('submission:unusable.isNotNew'), { decision: 'isNotNewExport' })}
      </>
    )
  if (!isPending(file)) return button(t('submission:unusable.waitAgain'), { decision: 'wait' })
  const label = t('submission:images.excludeWhat', { what: name })
  return (
    <>
      <ReasonPopover
        name={label}
        renderButton={(toggle) => (
          <SmallButton aria-label={label} disabled={isBusy} onClick={toggle}>
            {t('submission:images.exclude')}
          </SmallButton>
        )}
        explain={t('submission:images.excludeExplain')}
        usual={USUAL_REASONS.map((one) => t(`submission:images.reasons.${one}`))}
        action={t('submission:images.exclude')}
        onReason={(why) => onDecide({ decision: 'exclude', why })}
      />
      {button(t('submission:unusable.goWithout'), {
        decision: 'sendAsItIs',
        why: t('submission:unusable.remark'),
      })}
    </>
  )
}
