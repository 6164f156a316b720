import { VERSION } from '#platform/server/version.ts';
import { htmlToText } from './html-to-text.ts';
import { documentExtensionOptions, type Settings } from './settings.catalogue.ts';
import type { PublicSettings } from './settings.contract.ts';

/** An empty setting allows all supported types; clients get them as a list. */
const allowedExtensions = ({ document_allowed_ext: selectedExtensions }: Settings['security']): string[] =>
  selectedExtensions.length > 0 ? [...selectedExtensions] : Object.keys(documentExtensionOptions);

/** Lists the fields explicitly: a new setting is not public until it is added here. */
export function toPublicSettings(
  { system, footer, security, score, display }: Settings,
  { sendsMail, address }: { sendsMail: boolean; address: string },
): PublicSettings {
  return {
    system: {
      sitename: system.sitename,
      title: system.title,
      keywords: system.keywords,
      description: system.description,
      domain: system.domain,
      address,
      favicon: system.favicon,
      logo: system.logo,
      icp: system.icp,
      sec_icp: system.sec_icp,
      copyright_start_year: system.copyright_start_year,
      analytics: system.analytics,
      recommend_words: [...system.recommend_words],
      register_background: system.register_background,
      login_background: system.login_background,
      credit_name: score.credit_name,
      timezone: system.timezone,
      version: VERSION,
    },
    footer: {
      about: footer.about,
      help: footer.help,
      contact: footer.contact,
      feedback: footer.feedback,
      copyright: footer.copyright,
      agreement: footer.agreement,
    },
    security: {
      max_document_size: security.max_document_size,
      document_allowed_ext: allowedExtensions(security),
      is_close: security.is_close,
      close_statement: htmlToText(security.close_statement),
      enable_register: security.enable_register,
      login_required: security.login_required,
      enable_captcha_login: security.enable_captcha_login,
      enable_captcha_register: security.enable_captcha_register,
      enable_captcha_comment: security.enable_captcha_comment,
      enable_captcha_find_password: security.enable_captcha_find_password,
      enable_verify_register_email: security.enable_verify_register_email,
    },
    email: { enable: sendsMail },
    display: {
      show_document_count: display.show_document_count,
      show_document_download_count: display.show_document_download_count,
      show_document_view_count: display.show_document_view_count,
      show_document_favorite_count: display.show_document_favorite_count,
      show_register_user_count: display.show_register_user_count,
      show_document_descriptions: display.show_document_descriptions,
      show_index_categories: display.show_index_categories,
      index_document_style: display.index_document_style,
      home_version: display.home_version,
      pages_per_read: display.pages_per_read,
      copyright_statement: display.copyright_statement,
      hide_keywords_on_lists: display.hide_keywords_on_lists,
      hide_category_without_document: display.hide_category_without_document,
      wechat_tip: display.wechat_tip,
      wechat_qrcode: display.wechat_qrcode,
      contact_tip: display.contact_tip,
      contact_link: display.contact_link,
    },
  };
}
