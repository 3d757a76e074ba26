import { Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { EmptyPlace } from '../parts/empty-place.tsx'

import { t } from '../words/t.ts'
type Props = {
  readonly children: ReactNode
  /** Another place is another try: what failed there says nothing about this one. */
  readonly place: string
}
type State = { readonly hasFailed: boolean; readonly place: string }

/** Keeps a screen that cannot be drawn from blanking the others. Only a class can catch what children throw. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, place: this.props.place }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { hasFailed: false, place }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <EmptyPlace icon={IconAlertTriangle} title={t('shell:crash.title')} body={t('shell:crash.body')}>
        <Group gap="xs" mt="sm">
          <Button onClick={() => this.setState({ hasFailed: false })}>{t('shell:crash.again')}</Button>
          <Button variant="default" onClick={() => window.location.reload()}>
            {t('shell:crash.reload')}
          </Button>
        </Group>
      </EmptyPlace>
    )
  }
}
