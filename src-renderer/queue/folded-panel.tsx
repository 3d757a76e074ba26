/** A line beside the rows of the queue, which opens to what it is about. */
import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type Icon, IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './queue.module.css'

type FoldedPanelProps = {
  readonly icon: Icon
  readonly title: string
  readonly tone?: 'amber'
  /** Drawn once it is opened. */
  readonly children: ReactNode
}

export function FoldedPanel({ icon: Sign, title, tone, children }: FoldedPanelProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const Fold = isOpen ? IconChevronUp : IconChevronDown
  return (
    <section className={css.panel} data-tone={tone} aria-label={title}>
      <UnstyledButton className={css.head} aria-expanded={isOpen} onClick={toggle}>
        <Sign size={18} stroke={1.8} aria-hidden />
        <span>{title}</span>
        <Fold size={16} aria-hidden />
      </UnstyledButton>
      {isOpen && children}
    </section>
  )
}
