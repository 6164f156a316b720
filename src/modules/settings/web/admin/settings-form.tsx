import { useQueryClient } from '@tanstack/react-query';
import { App, Form, type FormInstance, type FormRule, Input, Select, Switch } from 'antd';
import { useEffect, useId, useMemo, useState } from 'react';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { ImageField } from '#platform/web/admin/image-field.tsx';
import { ActionButton, useMayCall } from '#platform/web/admin/permission.tsx';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useMessages } from '#platform/web/use-action.ts';
import { type ConfigItem, settingsApi, settingsErrors } from '../../settings.contract.ts';
import { settingHint, validateNumber } from './number-setting-limits.ts';
import { parseGroupedOptions, parseSelectOptions } from './select-options.ts';

type Value = string | boolean | string[];

/** Rows contain text; the form works with booleans and lists too. */
function settingTextToFormValue({ input_type, value }: ConfigItem): Value {
  if (input_type === 'switch') return value === 'true';
  if (input_type === 'select-multi') return value.split(',').filter(Boolean);
  return value;
}
const formValueToSettingText = (value: Value): string => (Array.isArray(value) ? value.join(',') : String(value));

const settingValidationRules = (item: ConfigItem): FormRule[] => [
  {
    validator: async (_, value: Value) => {
      const problem = validateNumber(item, formValueToSettingText(value));
      if (problem) throw new Error(problem);
    },
  },
];

type ControlProps = { item: ConfigItem; pictures: Endpoint; id?: string; value?: never };

function SettingControl({ item, pictures, ...rest }: ControlProps) {
  switch (item.input_type) {
    case 'switch':
      return <Switch {...rest} />;
    case 'number':
      // Not InputNumber, which would discard invalid text.
      return <Input {...rest} inputMode="numeric" autoComplete="off" style={{ width: 220 }} />;
    case 'select':
      return <Select {...rest} options={parseSelectOptions(item.options)} style={{ maxWidth: 320 }} />;
    case 'select-multi':
      return <Select {...rest} mode="multiple" allowClear options={parseGroupedOptions(item.options)} />;
    case 'textarea':
      return <Input.TextArea {...rest} rows={5} />;
    case 'password':
      return <Input.Password {...rest} autoComplete="new-password" />;
    case 'image':
      return <ImageField {...rest} endpoint={pictures} label={item.label} />;
    default:
      return <Input {...rest} />;
  }
}

type Props = {
  rows: ConfigItem[];
  /** The upload endpoint for images. The attachment module depends on this one, so the page passes it in. */
  pictures: Endpoint;
  /** Registers a function that returns whether the form has unsaved changes; returns how to unregister it. */
  watch: (hasUnsavedChanges: () => boolean) => () => void;
};

type Values = Record<string, Value>;

export function SettingsForm({ rows, pictures, watch }: Props) {
  const isReadOnly = !useMayCall()(settingsApi.update);
  const id = useId();
  const [form] = Form.useForm<Values>();
  const { save, isSaving } = useSaveSettings(rows, form);
  useEffect(() => watch(() => form.isFieldsTouched()), [watch, form]);
  const initial = useMemo(() => Object.fromEntries(rows.map((row) => [row.name, settingTextToFormValue(row)])), [rows]);
  // Values that other administrators saved meanwhile are shown, except in fields that were edited here.
  useEffect(() => {
    const untouchedValues = Object.entries(initial).filter(([name]) => !form.isFieldTouched(name));
    form.setFields(untouchedValues.map(([name, value]) => ({ name, value, touched: false })));
  }, [form, initial]);

  return (
    <Form
      form={form}
      name={id}
      layout="vertical"
      disabled={isReadOnly}
      initialValues={initial}
      onFinish={(values) => save(values)}
      scrollToFirstError={{ block: 'center', focus: true }}
      style={{ maxWidth: 720 }}
    >
      {rows.map((item) => (
        <Form.Item
          key={item.name}
          name={item.name}
          label={item.label}
          extra={settingHint(item) || undefined}
          rules={settingValidationRules(item)}
          valuePropName={item.input_type === 'switch' ? 'checked' : 'value'}
        >
          <SettingControl item={item} pictures={pictures} />
        </Form.Item>
      ))}
      <ActionButton type="primary" calls={[settingsApi.update]} htmlType="submit" loading={isSaving}>
        提交
      </ActionButton>
    </Form>
  );
}

/** Saves the edited fields. */
function useSaveSettings(rows: Props['rows'], form: FormInstance<Values>) {
  const { message } = App.useApp();
  const { failure: showFailure } = useMessages();
  const cache = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const promptPassword = usePasswordPrompt();
  const save = async (values: Values, password?: string): Promise<void> => {
    // Only edited fields are sent, because others may have been changed by another administrator.
    const editedRows = rows.filter(({ name }) => form.isFieldTouched(name));
    if (editedRows.length === 0) return void message.info('没有要保存的修改');
    setIsSaving(true);
    const config = editedRows.map(({ category, name }) => ({
      category,
      name,
      value: formValueToSettingText(values[name] ?? ''),
    }));
    try {
      await callEndpoint(settingsApi.update, { config, ...(password !== undefined && { password }) });
      message.success('配置更新成功');
      // Fields that were edited again while saving stay marked as edited.
      const savedRows = editedRows.filter(({ name }) => form.getFieldValue(name) === values[name]);
      form.setFields(savedRows.map(({ name }) => ({ name, touched: false })));
      await cache.invalidateQueries({ queryKey: queryKeyOf(settingsApi.list) });
      await cache.invalidateQueries({ queryKey: queryKeyOf(settingsApi.settings) });
    } catch (error) {
      const requiresPassword = settingsErrors.passwordNeeded.is(error) || settingsErrors.wrongPassword.is(error);
      if (requiresPassword) promptPassword(error.message, (enteredPassword) => save(values, enteredPassword));
      else showFailure(error, '配置更新失败');
    } finally {
      setIsSaving(false);
    }
  };
  return { save, isSaving };
}

/** The server requires the password of the administrator for some changes. */
function usePasswordPrompt() {
  const { modal } = App.useApp();
  const formId = useId();
  return (text: string, onPassword: (password: string) => Promise<void>) => {
    let password = '';
    modal.confirm({
      title: '请确认是您本人',
      content: (
        // The confirm button belongs to this form, so the Enter key submits it.
        <form id={formId} onSubmit={(event) => event.preventDefault()}>
          <p style={{ marginBottom: 8 }}>{text}</p>
          <Input.Password
            aria-label="登录密码"
            autoComplete="current-password"
            onChange={(event) => {
              password = event.target.value;
            }}
          />
        </form>
      ),
      okButtonProps: { htmlType: 'submit', form: formId },
      okText: '确定',
      cancelText: '取消',
      onOk: () => onPassword(password),
    });
  };
}
