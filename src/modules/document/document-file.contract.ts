import * as z from 'zod/mini';
import { replacedFont } from '#modules/conversion/replaced-font.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { emptyObject, id } from '#platform/contract/shapes.ts';

const MAX_PASSWORD_LENGTH = 255;

/** The files of documents: their fonts, and repairs after a failed conversion. */
export const documentFileApi = {
  unlock: endpoint({
    method: 'POST',
    path: '/document/unlock',
    access: 'user',
    accessToOthers: 'permission:DocumentAPI/UpdateDocument',
    summary: '用文档密码解锁自己的加密文档，有权限者可解锁他人的；密码只用一次，不会保存',
    input: z.object({
      id,
      password: z
        .string('请输入文档密码')
        .check(
          z.minLength(1, '请输入文档密码'),
          z.maxLength(MAX_PASSWORD_LENGTH, `密码最长 ${MAX_PASSWORD_LENGTH} 个字符`),
        ),
    }),
    output: emptyObject,
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/document/file',
    access: 'user',
    accessToOthers: 'permission:DocumentAPI/UpdateDocument',
    summary: '用已上传的文件替换自己转换失败的文档的文件，有权限者可替换他人的',
    input: z.object({ id, attachment_id: id }),
    output: emptyObject,
  }),
  fonts: endpoint({
    method: 'GET',
    path: '/document/fonts',
    access: 'user',
    accessToOthers: 'permission:DocumentAPI/ListDocument',
    summary: '自己的文档中没有安装、用相近字体代替的字体，有权限者可查看他人的',
    input: z.object({ id }),
    output: z.object({ font: z.array(replacedFont) }),
  }),
};

export const documentFileErrors = defineErrors('document-file', {
  notEncrypted: [409, '文档没有加密，或已经解锁'],
  notFailed: [409, '只能替换转换失败的文档的文件'],
  tooLarge: [422, '文件超过 100 MB，不能在线解锁，请去掉密码后替换文件'],
});
