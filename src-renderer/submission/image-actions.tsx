/** Actions on images: explaining a missing one, splitting and joining cases. */
import { Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { SmallButton } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Image, Submission } from '../../src-shared/submission.ts'
import { t } from '../i18n/i18n.ts'
import { namesNow } from '../privacy/names.tsx'
import { MergeDialog } from '../queue/join-cases.tsx'
import { goTo } from '../shell/navigation.tsx'
import { showToast } from '../shell/toast.tsx'
import { useStation } from '../store/use-station.ts'
import type { BoardImage } from '../components/photo.tsx'
import { ReasonPopover } from './exclude-image.tsx'
import { elementId, focusOn, useCase } from './form.ts'
import css from './images-board.module.css'
import { CaseChoice, RegroupForm } from './move-dialog.tsx'

const COMMON_REASONS = ['absent', 'opaque', 'pupil', 'cooperation'] as const

type NoImageControlProps = {
  readonly eye: Exclude<Eye, 'unknown'>
  readonly reason: string | undefined
  readonly hasImages: boolean
  readonly onReason: (reason: string | null) => void
}

export function NoImageControl({ eye, reason, hasImages, onReason }: NoImageControlProps) {
  const { isFrozen } = useCase()
  const lastReason = useRef<string | null>(null)
  const submitReason = (why: string | null): void => {
    lastReason.current = why ?? ''
    onReason(why)
  }
  // Another button replaces this one: it gets the focus, which would else return to the top of the page.
  useEffect(() => {
    if (lastReason.current !== (reason ?? '')) return
    lastReason.current = null
    focusOn(elementId('no-image', eye))
  }, [eye, reason])
  if (reason === undefined && (isFrozen || hasImages)) return null
  const name = t('submission:noImage.askFor', { eye: t(`field:eye.${eye}.full`) })
  return (
    <div className={css.noImage} id={elementId('no-image', eye)}>
      {reason === undefined ? (
        <ReasonPopover
          name={name}
          position="bottom"
          renderButton={(toggle) => (
            <SmallButton aria-label={name} onClick={toggle}>
              {t('submission:noImage.ask')}
            </SmallButton>
          )}
          explain={t('submission:noImage.explain')}
          usual={COMMON_REASONS.map((one) => t(`submission:noImage.usual.${one}`))}
          label={t('activity:why')}
          action={t('submission:noImage.action')}
          onReason={submitReason}
        />
      ) : (
        <>
          <p>
            <strong>{t('submission:noImage.because')}</strong> {reason}
          </p>
          {hasImages && <p className="bold amber">{t('submission:noImage.butImages')}</p>}
          {!isFrozen && (
            <SmallButton onClick={() => submitReason(null)}>{t('submission:noImage.takeBack')}</SmallButton>
          )}
        </>
      )}
    </div>
  )
}

type GroupingBarProps = {
  readonly shown: readonly BoardImage[]
  readonly chosen: readonly Image[]
  readonly onMoved: () => void
}

/** The actions on selected images. Its height is constant, so that nothing moves when one is selected. */
export function GroupingBar({ shown, chosen, onMoved }: GroupingBarProps) {
  const [isOpen, dialog] = useDisclosure(false)
  // While the dialog fades out, it stays the same.
  const [isMove, setMove] = useState(false)
  const ask = (toOther: boolean): void => {
    setMove(toOther)
    dialog.open()
  }
  const isAll = chosen.length === shown.length
  if (chosen.length === 0) return <span className="small dim">{t('submission:images.eyeKeys')}</span>
  return (
    <div className={css.grouping} role="toolbar" aria-label={t('queue:selected', { count: chosen.length })}>
      <SmallButton
        disabled={isAll}
        title={isAll ? t('submission:grouping.splitAll') : undefined}
        onClick={() => ask(false)}
      >
        {t('submission:grouping.split')}
      </SmallButton>
      <SmallButton onClick={() => ask(true)}>{t('submission:grouping.move')}</SmallButton>
      <Dialog
        opened={isOpen}
        onClose={dialog.close}
        size={isMove ? 'lg' : 'md'}
        title={t(`submission:grouping.${isMove ? 'move' : 'split'}`)}
      >
        <RegroupForm
          isMove={isMove}
          chosen={chosen}
          isEmptied={isAll}
          onClose={dialog.close}
          onMoved={onMoved}
        />
      </Dialog>
    </div>
  )
}

/** Joins another case to this one. If this one becomes part of an older one, that one is opened. */
export function JoinDialog({ onClose }: { readonly onClose: () => void }) {
  const { details, take } = useCase()
  const [other, setOther] = useState<Submission | null>(null)
  const [isChecked, setChecked] = useState(false)
  // Changes by others are visible before the cases are joined.
  const live = useStation(({ submissions }) => (other === null ? null : (submissions[other.id] ?? other)))
  if (isChecked && live !== null)
    return (
      <MergeDialog
        submissions={[details, live]}
        onClose={onClose}
        onMerged={(merged) => {
          onClose()
          showToast({
            message: t('queue:merge.done', { who: namesNow().patientLabel(merged.fields) }),
          })
          if (merged.id === details.id) take(merged)
          else goTo({ screen: 'submission', id: merged.id })
        }}
      />
    )
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('submission:join.name')}>
      <Stack>
        <Text>{t('submission:join.explain')}</Text>
        <CaseChoice chosenId={other?.id ?? null} onChoose={setOther} />
        <DialogButtons
          onCancel={onClose}
          isFocused={false}
          disabled={other === null}
          onClick={() => setChecked(true)}
        >
          {t('submission:join.look')}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
