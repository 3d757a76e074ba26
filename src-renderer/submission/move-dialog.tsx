/** Moves images to another case. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { Image, Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { EyeMark } from '../components/badges.tsx'
import { baseName, Photo } from '../components/photo.tsx'
import { currentSignature } from '../decisions/decisions.tsx'
import { formatDay } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { namesNow, useNames } from '../privacy/names.tsx'
import { goTo } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { upsertSubmission } from '../store/store.ts'
import { useCall, useSession } from '../store/use-station.ts'
import { CaseChoice } from './decision-panel.tsx'
import css from './grouping.module.css'

export function ChosenImages({ images }: { readonly images: readonly Image[] }) {
  const names = useNames()
  return (
    <ul role="list" className={css.chosen}>
      {images.map((image) => {
        const path = names.fileName(image.fileName)
        return (
          <li key={image.id} className={css.image} title={path}>
            <Photo image={image} className={css.photo} />
            <EyeMark eye={image.eye} />
            <span className="truncate">{baseName(path)}</span>
          </li>
        )
      })}
    </ul>
  )
}

type MoveDialogProps = {
  readonly details: SubmissionDetails
  readonly chosen: readonly Image[]
  readonly isOpen: boolean
  readonly isEmptied: boolean
  readonly onClose: () => void
  /** The case that lost the images must be read again. */
  readonly onChanged: (details: null) => void
}

/** Moves images to another open case, which a person selects by name and number. */
export function MoveDialog({ details, chosen, isOpen, isEmptied, onClose, onChanged }: MoveDialogProps) {
  const session = useSession()
  const names = useNames()
  const [target, setTarget] = useState<Submission | null>(null)
  const { isBusy, failure, setFailure, call } = useCall()
  const close = (): void => {
    setFailure(null)
    setTarget(null)
    onClose()
  }
  const move = async (to: Submission): Promise<void> => {
    const moved = await call('submissions.moveImages', {
      imageIds: chosen.map(({ id }) => id),
      toId: to.id,
      ...currentSignature(),
    })
    if (!moved) return
    close()
    upsertSubmission(session, moved)
    onChanged(null)
    const open = (): void => goTo({ screen: 'submission', id: to.id })
    showToast({
      tone: 'green',
      message: t('submission:grouping.moveDone', {
        count: chosen.length,
        who: namesNow().patientLabel(to.fields),
      }),
      ...(!isEmptied && { action: { label: t('submission:grouping.open'), run: open } }),
    })
    if (isEmptied) open()
  }
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      size="lg"
      title={t('submission:grouping.moveTitle', { count: chosen.length })}
    >
      <Stack>
        <ChosenImages images={chosen} />
        <CaseChoice exceptId={details.id} chosenId={target?.id ?? null} onChoose={setTarget} />
        <Text className={css.says} aria-live="polite">
          {target === null
            ? t('submission:grouping.moveChoose')
            : t('submission:grouping.moveExplain', {
                from: names.patientLabel(details.fields),
                to: names.patientLabel(target.fields),
              })}
        </Text>
        <Text>
          {isEmptied ? `${t('submission:grouping.emptied')} ` : ''}
          {t('submission:grouping.looksAgain')}
        </Text>
        {failure && <p className={css.trouble}>{messageOf(failure)}</p>}
        <DialogButtons onCancel={close} isFocused={false}>
          <Button
            disabled={target === null}
            loading={isBusy}
            onClick={() => target !== null && void move(target)}
          >
            {t('submission:grouping.moveAction', { count: chosen.length })}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** The label of the button around an image: it contains all visible text. */
export function openLabel({ removedAt }: Pick<Image, 'removedAt'>, name: string): string {
  return removedAt === null
    ? t('submission:images.open', { what: name })
    : t('submission:images.openRemoved', {
        what: name,
        removed: t('part:removed', { day: formatDay(removedAt) }),
      })
}
