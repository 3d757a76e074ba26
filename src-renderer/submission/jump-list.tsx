import { UnstyledButton } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { Eye } from '../../src-shared/eye.ts'
import type { Warning, Reason, Submission } from '../../src-shared/submission.ts'
import { useNames } from '../privacy/use-names.ts'
import { reasonText } from '../queue/reason-text.ts'
import { focusActionFor } from './jump.ts'
import css from './missing-list.module.css'
import { t } from '../words/t.ts'

export type JumpListProps = {
  readonly of: Pick<Submission, 'fields' | 'images'>
  readonly items: readonly (Reason | Warning)[]
  readonly eyeWithoutImage: Eye | null
  /** The file names of images, so that sentences about several of them can be told apart. */
  readonly nameOf: (imageId: string) => string | null
}

/** Sentences, each one click away from the field or image that it is about. */
export function JumpList({ of, items, eyeWithoutImage, nameOf }: JumpListProps) {
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
