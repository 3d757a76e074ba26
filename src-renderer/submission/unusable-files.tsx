/** The files of a case that cannot be used: what each is, and what a person decides on it. */
import { Button, Stack } from '@mantine/core'
import { IconHourglass, IconPhotoX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import { isPending, type UnusableFile } from '../../src-shared/submission.ts'
import { SmallButton } from '../components/controls.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useCall } from '../store/use-station.ts'
import { elementId, useCase } from './form.ts'
import { ReasonPopover } from './image-actions.tsx'
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
          data-settled={isFrozen || !isPending(file)}
        >
          <FileEntry file={file} isBusy={isBusy} onDecide={(made) => void decide(file.id, made)} />
        </li>
      ))}
      {failure && (
        <li className={css.trouble} role="alert">
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
  const { file, isBusy, onDecide } = props
  const { details, isFrozen } = useCase()
  const names = useNames()
  const name = names.fileName(baseName(file.fileName))
  const image = details.images.find(({ id }) => id === file.replacedBy)
  if (isPending(file) && image !== undefined)
    return (
      <>
        <Photo image={image} className={css.photo} />
        <div className={css.text}>
          <h3 className={css.name}>{t('submission:unusable.asked', { what: name })}</h3>
          <p>{t('submission:unusable.askedMeans')}</p>
        </div>
        {!isFrozen && (
          <div className={css.actions}>
            <Button size="compact-sm" disabled={isBusy} onClick={() => onDecide({ decision: 'isNewExport' })}>
              {t('submission:unusable.isNew')}
            </Button>
            <SmallButton disabled={isBusy} onClick={() => onDecide({ decision: 'isNotNewExport' })}>
              {t('submission:unusable.isNotNew')}
            </SmallButton>
          </div>
        )}
      </>
    )
  return (
    <>
      <span className={css.sign}>
        <IconPhotoX size={22} aria-hidden />
      </span>
      <div className={css.text}>
        <h3 className={css.name}>
          <span className={css.eye} data-eye={file.eye}>
            {t(`field:eye.${file.eye}.${file.eye === 'unknown' ? 'name' : 'full'}`)}
          </span>
          <span className="truncate" title={names.fileName(file.fileName)}>
            {name}
          </span>
        </h3>
        <p>{messageOf(file)}</p>
        <Standing file={file} />
      </div>
      {!isFrozen && <Choices {...props} name={name} />}
    </>
  )
}

/** How the case stands to the file now. */
function Standing({ file }: Pick<FileEntryProps, 'file'>) {
  const { details, isFrozen } = useCase()
  const line = ((): ReactNode => {
    if (file.decision === 'exclude') return t('submission:unusable.leftOut', { why: file.because ?? '' })
    if (file.decision === 'sendAsItIs') return t('submission:unusable.goesWithout')
    if (isFrozen) return details.state === 'discarded' ? null : t('submission:unusable.wentWithout')
    return (
      <>
        <IconHourglass size={15} aria-hidden />
        {t('submission:unusable.waits')}
      </>
    )
  })()
  return line && <p className={css.standing}>{line}</p>
}

const USUAL_REASONS = ['another', 'mistake', 'otherPatient', 'notFundus'] as const

function Choices({ file, isBusy, name, onDecide }: FileEntryProps & { readonly name: string }) {
  if (!isPending(file))
    return (
      <div className={css.actions}>
        <SmallButton disabled={isBusy} onClick={() => onDecide({ decision: 'wait' })}>
          {t('submission:unusable.waitAgain')}
        </SmallButton>
      </div>
    )
  const label = t('submission:images.excludeWhat', { what: name })
  return (
    <div className={css.actions}>
      <ReasonPopover
        name={label}
        position="bottom-start"
        renderButton={(toggle) => (
          <SmallButton aria-label={label} disabled={isBusy} onClick={toggle}>
            {t('submission:images.exclude')}
          </SmallButton>
        )}
        explain={t('submission:unusable.excludeExplain')}
        usual={USUAL_REASONS.map((one) => t(`submission:unusable.reasons.${one}`))}
        label={t('submission:images.excludeReason')}
        action={t('submission:images.exclude')}
        onReason={(why) => onDecide({ decision: 'exclude', why })}
      />
      <SmallButton
        disabled={isBusy}
        onClick={() => onDecide({ decision: 'sendAsItIs', why: t('submission:unusable.remark') })}
      >
        {t('submission:unusable.goWithout')}
      </SmallButton>
    </div>
  )
}
