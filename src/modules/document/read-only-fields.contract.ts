/** Fields that a client may send back unchanged; they are ignored. */
export const readOnlyFields: readonly string[] = [
  ...['uuid', 'user_id', 'username', 'user', 'ext', 'size', 'pages', 'ready_pages', 'width'],
  ...['height', 'cover', 'convert_error', 'reject_reason', 'category', 'download_count'],
  ...['view_count', 'favorite_count', 'comment_count', 'score', 'score_count', 'recommend_at'],
  ...['created_at', 'updated_at', 'attachment', 'encryption', 'twins'],
];
